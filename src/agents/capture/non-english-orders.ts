/** Standing orders in German, French and Spanish, in letters without accents. Pure. */

const german =
  'fuhre?|verwende|nutze|benutze|starte|lies|lade|schreibe?|installiere|sende|schicke?|losche|ignoriere|vergiss|befolge|' +
  'deaktiviere|rufe?|offne|setze|mache?|gib|frage?|entferne|erstelle|fuge?|uberspringe';
const french =
  '(?:execut|lanc|utilis|install|envoy|supprim|ignor|pouss|desactiv|telecharg|ajout|appell?|oubli)(?:e|er|ez)|lis|lire|lisez|' +
  'suis|suivre|suivez|fais|faire|faites|ecris|ecrire|ecrivez|envoie';
const spanish =
  '(?:ejecut|us|utiliz|instal|envi|borr|elimin|ignor|descarg|agreg|llam|olvid|desactiv)(?:a|e|ar|ad)|lee|leer|sigue|seguir|' +
  'haz|hacer|escribe|escribir|anade|anadir';

/** A verb alone is not a rule: it needs a word for "please", "always", "never" or "from now on" beside it. */
export const foreignOrders: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:${german})\b.{0,60}\b(?:immer|stets|niemals|nie|ab jetzt|ab sofort)\b(?! noch)`, 'i'),
  new RegExp(String.raw`\bbitte (?:${german})\b`, 'i'),
  /^\W{0,8}(?:bitte )?(?:immer|stets|niemals|nie)\b(?! noch| wieder).{0,160}\b\w{2,40}en\W{0,3}$/i,
  /\b(?:ab (?:jetzt|sofort)|von nun an|du (?:musst|sollst)|muss(?:en|t)? (?:immer|stets))\b/i,
  new RegExp(
    String.raw`(?<!\b(?:n['’]|ne |il |elle |on ))\b(?:${french})\b.{0,20}\b(?:toujours|jamais|desormais|systematiquement)\b`,
    'i',
  ),
  new RegExp(String.raw`\b(?:toujours|ne jamais|desormais)\b.{0,20}\b(?:${french})\b`, 'i'),
  /\b(?:a partir de maintenant|a partir de ahora|de ahora en adelante)\b/i,
  new RegExp(String.raw`\b(?:${spanish})\b.{0,20}\b(?:siempre|nunca|jamas)\b`, 'i'),
  new RegExp(String.raw`^\W{0,8}(?:siempre|nunca|jamas)\b.{0,20}\b(?:${spanish})\b`, 'i'),
];
