/** British and American spellings, and months, days and numbers written out or not. Pure. */

/** Same notation as in `derivedWords`. */
export const spellings = `
  ise ize: apolog author categor character container critic custom emphas final general initial local maxim memor
  minim modern normal optim organ parallel parameter priorit random real recogn sanit serial special standard summar
  synchron token util virtual visual, our or: arm behavi col endeav fav flav harb hon hum lab neighb rig rum sav vap,
  re er: cent fib kilomet lit met theat, ogue og: catal dial, favourite favorite, aluminium aluminum, analyse
  analyze, artefact artifact, cosy cozy, defence defense, grey gray, jewellery jewelry, licence license, mould mold,
  moustache mustache, offence offense, plough plow, practise practice, programme program, sceptical skeptical, tyre
  tire,

  january jan, february feb, april apr, august aug, september sept sep, october oct, november nov, december dec,
  monday mon, tuesday tue, wednesday wed, thursday thu, friday fri, two 2, three 3, four 4, five 5, six 6, seven 7,
  eight 8, nine 9, ten 10, eleven 11, twelve 12, twenty 20, thirty 30, forty 40, fifty 50, sixty 60, hundred 100,
  thousand 1000`;
