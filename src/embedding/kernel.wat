;; Measures how close a note is to a query, in vector instructions: computes what plain-closeness.ts does, to the last
;; bit. A process that ends after one search would spend more time compiling the loops of that file than running these.
;;
;; The memory holds the model's file, followed by the data of one query and one note. The globals say where each part
;; begins. `npm run kernel` assembles this file into kernel-bytes.ts.
(module
  (import "kernel" "memory" (memory 0))
  ;; Numbers of a vector, and words of the query.
  (global $dimension (export "dimension") (mut i32) (i32.const 0))
  (global $count (export "count") (mut i32) (i32.const 0))
  ;; Parts of the model: values (i8, by row), norms and units (f32).
  (global $values (export "values") (mut i32) (i32.const 0))
  (global $norms (export "norms") (mut i32) (i32.const 0))
  (global $units (export "units") (mut i32) (i32.const 0))
  ;; Parts of the query: its words' vectors (i16), their scales and weights (f64), the weights' sum, its vector (f64).
  (global $asked (export "asked") (mut i32) (i32.const 0))
  (global $scales (export "scales") (mut i32) (i32.const 0))
  (global $weights (export "weights") (mut i32) (i32.const 0))
  (global $allWeights (export "allWeights") (mut f64) (f64.const 0))
  (global $query (export "query") (mut i32) (i32.const 0))
  ;; Parts of the note: the greatest similarities in its title and in each block of its body (f32), and sums of their
  ;; vectors (f64).
  (global $titled (export "titled") (mut i32) (i32.const 0))
  (global $best (export "best") (mut i32) (i32.const 0))
  (global $headSum (export "headSum") (mut i32) (i32.const 0))
  (global $sums (export "sums") (mut i32) (i32.const 0))

  ;; Raises each of the similarities at $to to the greatest of the tokens from $from to $end.
  (func $raise (param $from i32) (param $end i32) (param $to i32)
    (local $row i32) (local $vector i32) (local $values i32) (local $word i32) (local $at i32) (local $dot i32)
    (local $sum v128) (local $unit f64) (local $near f32)
    (block $done (loop $tokens
      (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
      (local.set $row (i32.load (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (local.set $values (i32.add (global.get $values) (i32.mul (local.get $row) (global.get $dimension))))
      (local.set $unit (f64.promote_f32 (f32.load (i32.add (global.get $units) (i32.shl (local.get $row) (i32.const 2))))))
      (local.set $vector (global.get $asked))
      (local.set $word (i32.const 0))
      (block $compared (loop $words
        (br_if $compared (i32.ge_u (local.get $word) (global.get $count)))
        (local.set $sum (i32x4.splat (i32.const 0)))
        (local.set $at (i32.const 0))
        (block $few (loop $eights
          (br_if $few (i32.gt_u (i32.add (local.get $at) (i32.const 8)) (global.get $dimension)))
          (local.set $sum (i32x4.add (local.get $sum) (i32x4.dot_i16x8_s
            (v128.load (i32.add (local.get $vector) (i32.shl (local.get $at) (i32.const 1))))
            (v128.load8x8_s (i32.add (local.get $values) (local.get $at))))))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $eights)))
        (local.set $dot (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (block $whole (loop $ones
          (br_if $whole (i32.ge_u (local.get $at) (global.get $dimension)))
          (local.set $dot (i32.add (local.get $dot) (i32.mul
            (i32.load16_s (i32.add (local.get $vector) (i32.shl (local.get $at) (i32.const 1))))
            (i32.load8_s (i32.add (local.get $values) (local.get $at))))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $ones)))
        (local.set $near (f32.demote_f64 (f64.mul
          (f64.mul (f64.convert_i32_s (local.get $dot))
            (f64.load (i32.add (global.get $scales) (i32.shl (local.get $word) (i32.const 3)))))
          (local.get $unit))))
        (local.set $at (i32.add (local.get $to) (i32.shl (local.get $word) (i32.const 2))))
        (if (f32.gt (local.get $near) (f32.load (local.get $at)))
          (then (f32.store (local.get $at) (local.get $near))))
        (local.set $vector (i32.add (local.get $vector) (i32.shl (global.get $dimension) (i32.const 1))))
        (local.set $word (i32.add (local.get $word) (i32.const 1)))
        (br $words)))
      (br $tokens))))

  ;; Writes the sum of the vectors of the tokens from $from to $end to $to.
  (func $sum (param $from i32) (param $end i32) (param $to i32)
    (local $row i32) (local $values i32) (local $at i32) (local $place i32) (local $factor f64)
    (memory.fill (local.get $to) (i32.const 0) (i32.shl (global.get $dimension) (i32.const 3)))
    (block $done (loop $tokens
      (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
      (local.set $row (i32.load (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (local.set $values (i32.add (global.get $values) (i32.mul (local.get $row) (global.get $dimension))))
      (local.set $row (i32.shl (local.get $row) (i32.const 2)))
      (local.set $factor (f64.mul
        (f64.promote_f32 (f32.load (i32.add (global.get $norms) (local.get $row))))
        (f64.promote_f32 (f32.load (i32.add (global.get $units) (local.get $row))))))
      (local.set $at (i32.const 0))
      (local.set $place (local.get $to))
      (block $few (loop $twos
        (br_if $few (i32.gt_u (i32.add (local.get $at) (i32.const 2)) (global.get $dimension)))
        (v128.store (local.get $place) (f64x2.add (v128.load (local.get $place)) (f64x2.mul
          (f64x2.splat (local.get $factor))
          (f64x2.convert_low_i32x4_s (i32x4.extend_low_i16x8_s (i16x8.extend_low_i8x16_s
            (i16x8.splat (i32.load16_u (i32.add (local.get $values) (local.get $at))))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (local.set $place (i32.add (local.get $place) (i32.const 16)))
        (br $twos)))
      (if (i32.lt_u (local.get $at) (global.get $dimension))
        (then (f64.store (local.get $place) (f64.add (f64.load (local.get $place)) (f64.mul
          (local.get $factor)
          (f64.convert_i32_s (i32.load8_s (i32.add (local.get $values) (local.get $at)))))))))
      (br $tokens))))

  ;; Returns the cover of a note; its title's tokens are from $head to $body, its body's from there to $end.
  (func $cover (export "cover") (param $head i32) (param $body i32) (param $end i32) (result f64)
    (local $blocks i32) (local $from i32) (local $to i32) (local $first i32) (local $last i32) (local $word i32)
    (local $bytes i32) (local $at i32) (local $most f32) (local $all f64) (local $cover f64)
    (local.set $bytes (i32.shl (global.get $count) (i32.const 2)))
    (local.set $blocks (call $blocksOf (local.get $body) (local.get $end)))
    (memory.fill (global.get $titled) (i32.const 0) (local.get $bytes))
    (memory.fill (global.get $best) (i32.const 0) (i32.mul (local.get $blocks) (local.get $bytes)))
    (call $raise (local.get $head) (local.get $body) (global.get $titled))
    (local.set $from (local.get $body))
    (local.set $to (global.get $best))
    (block $read (loop $each
      (br_if $read (i32.ge_u (local.get $from) (local.get $end)))
      (call $raise (local.get $from) (call $lesser (local.get $end) (i32.add (local.get $from) (i32.const 64)))
        (local.get $to))
      (local.set $from (i32.add (local.get $from) (i32.const 64)))
      (local.set $to (i32.add (local.get $to) (local.get $bytes)))
      (br $each)))
    (loop $passages
      (local.set $last (call $lesser (local.get $blocks) (i32.add (local.get $first) (i32.const 2))))
      (local.set $all (f64.const 0))
      (local.set $word (i32.const 0))
      (block $summed (loop $words
        (br_if $summed (i32.ge_u (local.get $word) (global.get $count)))
        (local.set $to (i32.shl (local.get $word) (i32.const 2)))
        (local.set $most (f32.load (i32.add (global.get $titled) (local.get $to))))
        (local.set $at (local.get $first))
        (block $compared (loop $blocks
          (br_if $compared (i32.ge_u (local.get $at) (local.get $last)))
          (local.set $most (f32.max (local.get $most) (f32.load (i32.add
            (i32.add (global.get $best) (local.get $to)) (i32.mul (local.get $at) (local.get $bytes))))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $blocks)))
        (local.set $all (f64.add (local.get $all) (f64.mul
          (f64.load (i32.add (global.get $weights) (i32.shl (local.get $word) (i32.const 3))))
          (f64.promote_f32 (local.get $most)))))
        (local.set $word (i32.add (local.get $word) (i32.const 1)))
        (br $words)))
      (local.set $cover (f64.max (local.get $cover) (f64.div (local.get $all) (global.get $allWeights))))
      (local.set $first (i32.add (local.get $first) (i32.const 1)))
      (br_if $passages (i32.lt_u (i32.add (local.get $first) (i32.const 1)) (local.get $blocks))))
    (local.get $cover))

  ;; Returns the nearness of the same note.
  (func $nearness (export "nearness") (param $head i32) (param $body i32) (param $end i32) (result f64)
    (local $blocks i32) (local $from i32) (local $to i32) (local $first i32) (local $last i32) (local $at i32)
    (local $bytes i32) (local $block i32) (local $one f64) (local $dots f64) (local $squares f64) (local $nearness f64)
    (local.set $bytes (i32.shl (global.get $dimension) (i32.const 3)))
    (local.set $blocks (call $blocksOf (local.get $body) (local.get $end)))
    (call $sum (local.get $head) (local.get $body) (global.get $headSum))
    (local.set $from (local.get $body))
    (local.set $to (global.get $sums))
    (loop $each
      (call $sum (local.get $from) (call $lesser (local.get $end) (i32.add (local.get $from) (i32.const 64)))
        (local.get $to))
      (local.set $from (i32.add (local.get $from) (i32.const 64)))
      (local.set $to (i32.add (local.get $to) (local.get $bytes)))
      (br_if $each (i32.lt_u (local.get $from) (local.get $end))))
    (loop $passages
      (local.set $last (call $lesser (local.get $blocks) (i32.add (local.get $first) (i32.const 8))))
      (local.set $dots (f64.const 0))
      (local.set $squares (f64.const 0))
      (local.set $at (i32.const 0))
      (block $summed (loop $axes
        (br_if $summed (i32.ge_u (local.get $at) (local.get $bytes)))
        (local.set $one (f64.load (i32.add (global.get $headSum) (local.get $at))))
        (local.set $block (local.get $first))
        (block $added (loop $blocks
          (br_if $added (i32.ge_u (local.get $block) (local.get $last)))
          (local.set $one (f64.add (local.get $one) (f64.load (i32.add
            (i32.add (global.get $sums) (local.get $at)) (i32.mul (local.get $block) (local.get $bytes))))))
          (local.set $block (i32.add (local.get $block) (i32.const 1)))
          (br $blocks)))
        (local.set $dots (f64.add (local.get $dots)
          (f64.mul (local.get $one) (f64.load (i32.add (global.get $query) (local.get $at))))))
        (local.set $squares (f64.add (local.get $squares) (f64.mul (local.get $one) (local.get $one))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $axes)))
      (if (f64.gt (local.get $squares) (f64.const 0))
        (then (local.set $nearness (f64.max (local.get $nearness)
          (f64.div (local.get $dots) (f64.sqrt (local.get $squares)))))))
      (local.set $first (i32.add (local.get $first) (i32.const 4)))
      (br_if $passages (i32.lt_u (i32.add (local.get $first) (i32.const 4)) (local.get $blocks))))
    (local.get $nearness))

  ;; Writes the sum of the bytes from $from to $end, in steps of 64, to the 16 bytes at $to. Any change of one byte
  ;; changes it.
  (func $check (export "check") (param $from i32) (param $end i32) (param $to i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $factor v128)
    (local.set $factor (i32x4.splat (i32.const 0x01000193)))
    (block $done (loop $steps
      (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
      (local.set $a (i32x4.add (i32x4.mul (local.get $a) (local.get $factor)) (v128.load (local.get $from))))
      (local.set $b (i32x4.add (i32x4.mul (local.get $b) (local.get $factor))
        (v128.load (i32.add (local.get $from) (i32.const 16)))))
      (local.set $c (i32x4.add (i32x4.mul (local.get $c) (local.get $factor))
        (v128.load (i32.add (local.get $from) (i32.const 32)))))
      (local.set $d (i32x4.add (i32x4.mul (local.get $d) (local.get $factor))
        (v128.load (i32.add (local.get $from) (i32.const 48)))))
      (local.set $from (i32.add (local.get $from) (i32.const 64)))
      (br $steps)))
    (v128.store (local.get $to) (i32x4.add (local.get $d) (i32x4.mul (local.get $factor)
      (i32x4.add (local.get $c) (i32x4.mul (local.get $factor)
        (i32x4.add (local.get $b) (i32x4.mul (local.get $factor) (local.get $a)))))))))

  ;; Returns the number of blocks of 16 tokens, at least one.
  (func $blocksOf (param $from i32) (param $end i32) (result i32)
    (local $blocks i32)
    (local.set $blocks
      (i32.shr_u (i32.add (i32.sub (local.get $end) (local.get $from)) (i32.const 63)) (i32.const 6)))
    (select (local.get $blocks) (i32.const 1) (local.get $blocks)))

  (func $lesser (param $a i32) (param $b i32) (result i32)
    (select (local.get $a) (local.get $b) (i32.lt_u (local.get $a) (local.get $b)))))
