/** Notes in German, Chinese and Japanese, and questions about some of them that do not copy their words. */

export type LanguageNote = { readonly title: string; readonly body: string };

/** A question, and the index of its note in the list. */
export type LanguageCase = { readonly query: string; readonly note: number };

export const germanNotes: readonly LanguageNote[] = [
  { title: 'Datenbankverbindungen begrenzen', body: 'Der Verbindungspool darf höchstens zwanzig Verbindungen öffnen.' },
  { title: 'Zertifikate erneuern', body: 'Die Zertifikate laufen im März ab; das Skript erneuert sie über den Proxy.' },
  {
    title: 'Rückfall auf die alte Version',
    body: 'Beim Ausrollen bleibt die alte Version eine Stunde lang erreichbar.',
  },
  { title: 'Rechnungen runden', body: 'Beträge werden kaufmännisch gerundet, erst am Ende der Rechnung.' },
  { title: 'Zeitzonen', body: 'Alle Zeitstempel stehen in UTC; angezeigt wird die Zeitzone des Kunden.' },
  {
    title: 'Schriftgröße im Druck',
    body: 'Lieferscheine brauchen mindestens neun Punkt, sonst liest der Scanner sie nicht.',
  },
  { title: 'Sperren beim Schreiben', body: 'Die Sperrdatei wird nach dreißig Sekunden als verwaist betrachtet.' },
  { title: 'Suchindex neu aufbauen', body: 'Nach einem Wechsel der Sprache muss der Suchindex neu aufgebaut werden.' },
  { title: 'Straßenverzeichnis', body: 'Das Straßenverzeichnis der Stadt wird vierteljährlich eingelesen.' },
  { title: 'Passwörter zurücksetzen', body: 'Der Verweis zum Zurücksetzen gilt fünfzehn Minuten und nur einmal.' },
  { title: 'Speicherauslastung', body: 'Ab achtzig Prozent Auslastung wird der älteste Zwischenspeicher geleert.' },
  { title: 'Übersetzungen', body: 'Texte der Oberfläche kommen aus einer Tabelle, die das Team in Köln pflegt.' },
  { title: 'Nachtlauf', body: 'Der Nachtlauf darf erst beginnen, wenn die Sicherung beendet ist.' },
  { title: 'Kündigungsfristen', body: 'Verträge enden drei Monate nach der Kündigung zum Monatsende.' },
  { title: 'Fehlermeldungen', body: 'Meldungen an Kunden nennen nie den Rechner, auf dem sie entstanden.' },
  { title: 'Prüfziffern', body: 'Die Prüfziffer der Kontonummer wird vor dem Speichern geprüft.' },
];

export const chineseNotes: readonly LanguageNote[] = [
  { title: '数据库迁移计划', body: '迁移分三步进行：先复制旧表，再切换写入，最后删除旧表。' },
  { title: '登录超时', body: '用户三十分钟没有操作就要重新登录，移动端例外。' },
  { title: '缓存失效策略', body: '商品价格变化后立即清除缓存，其余数据十分钟后过期。' },
  { title: '日志保留时间', body: '访问日志保留九十天，错误日志保留一年。' },
  { title: '支付回调', body: '支付平台可能重复通知，订单号相同的回调只处理一次。' },
  { title: '图片压缩', body: '上传的图片在后台压缩成三种尺寸，原图不对外公开。' },
  { title: '部署顺序', body: '先部署后端服务，等健康检查通过以后再部署前端页面。' },
  { title: '权限模型', body: '管理员可以查看全部订单，普通员工只能查看自己门店的订单。' },
  { title: '消息队列积压', body: '队列积压超过一万条时自动增加消费者数量。' },
  { title: '短信验证码', body: '验证码五分钟内有效，同一个号码每天最多发送十次。' },
  { title: '搜索分词', body: '中文搜索按相邻两个字建立索引，不使用词典。' },
  { title: '时区问题', body: '服务器统一使用东八区时间，导出报表时再转换。' },
  { title: '单元测试', body: '提交之前必须通过全部测试，失败的测试不允许跳过。' },
  { title: '接口限流', body: '每个客户每秒最多请求一百次，超过后返回错误码。' },
  { title: '备份恢复', body: '每天凌晨两点备份数据库，每季度演练一次恢复。' },
];

export const japaneseNotes: readonly LanguageNote[] = [
  { title: 'データベースの移行手順', body: '古い表を複製してから書き込み先を切り替え、最後に古い表を削除する。' },
  { title: 'ログインの有効期限', body: '三十分間操作がなければ、もう一度ログインが必要になる。' },
  { title: '画像のサイズ', body: 'アップロードされた画像は三種類の大きさに変換して保存する。' },
  { title: '決済の二重処理', body: '決済会社から同じ通知が二回届くことがあるので、注文番号で確認する。' },
  { title: 'メール送信の制限', body: '一時間に千通を超えると送信が止められる。' },
  { title: 'テストの実行時間', body: '結合テストは夜間に実行し、単体テストは毎回実行する。' },
  { title: '消費税の計算', body: '消費税は明細ごとではなく合計金額に対して計算し、端数は切り捨てる。' },
  { title: '障害時の連絡先', body: '夜間の障害は当番の担当者に電話で連絡する。' },
  { title: 'バックアップ', body: '毎朝四時に全体のバックアップを取り、三十日間保存する。' },
  { title: 'キャッシュの削除', body: '設定を変更したら、必ずキャッシュを削除してから再起動する。' },
  { title: '権限の確認', body: '管理者だけが他の店舗の売上を閲覧できる。' },
  { title: '検索の改善', body: '検索語が見つからないときは、似た綴りの語を候補として表示する。' },
  { title: '証明書の更新', body: '証明書は毎年三月に更新し、更新後に負荷分散装置を再起動する。' },
  { title: '文字コード', body: '取引先のファイルは文字コードが違うので、読み込む前に変換する。' },
  { title: '在庫の同期', body: '在庫数は十五分ごとに倉庫のシステムと同期する。' },
];

export const germanCases: readonly LanguageCase[] = [
  { query: 'wie viele Verbindungen öffnet der Pool', note: 0 },
  { query: 'datenbankverbindung', note: 0 },
  { query: 'wann läuft das Zertifikat ab', note: 1 },
  { query: 'alte Versionen erreichbar nach dem ausrollen?', note: 2 },
  { query: 'wird der Betrag einer Rechnung gerundet', note: 3 },
  { query: 'Zeitstempel Zeitzone', note: 4 },
  { query: 'schriftgroesse lieferschein', note: 5 },
  { query: 'verwaiste Sperrdateien', note: 6 },
  { query: 'Index neu aufbauen', note: 7 },
  { query: 'strassenverzeichnis einlesen', note: 8 },
  { query: 'passwort zurücksetzen wie lange gültig', note: 9 },
  { query: 'Wer übersetzt die Texte?', note: 11 },
  { query: 'Nachtlauf vor der Sicherung', note: 12 },
  { query: 'Frist einer Kündigung', note: 13 },
];

export const chineseCases: readonly LanguageCase[] = [
  { query: '迁移', note: 0 },
  { query: '怎么迁移数据库？', note: 0 },
  { query: '为什么要重新登录', note: 1 },
  { query: '价格改了缓存什么时候清除', note: 2 },
  { query: '错误日志保留多久', note: 3 },
  { query: '重复的支付通知怎么处理', note: 4 },
  { query: '原图', note: 5 },
  { query: '先部署前端还是后端', note: 6 },
  { query: '员工能查看哪些订单', note: 7 },
  { query: '队列积压', note: 8 },
  { query: '验证码每天能发几次', note: 9 },
  { query: '导出报表的时间不对', note: 11 },
  { query: '请求太多返回什么错误', note: 13 },
];

export const japaneseCases: readonly LanguageCase[] = [
  { query: 'データベースを移行するには', note: 0 },
  { query: 'ログイン 期限', note: 1 },
  { query: '画像の大きさ', note: 2 },
  { query: '同じ決済通知が二回来る', note: 3 },
  { query: 'メールが送信できない', note: 4 },
  { query: '単体テストはいつ実行する？', note: 5 },
  { query: '消費税の端数', note: 6 },
  { query: '夜間に障害が起きたら誰に連絡する', note: 7 },
  { query: 'バックアップは何日間保存される', note: 8 },
  { query: '設定変更後の再起動', note: 9 },
  { query: '証明書はいつ更新しますか', note: 12 },
  { query: '文字化けするファイル 読み込み', note: 13 },
  { query: '倉庫と在庫を合わせる間隔', note: 14 },
];
