/**
 * Reference prompts in German, French and Spanish, which have their own function words and everyday words. Data:
 * editing them changes the threshold of every store.
 */

const german = `
führ das bitte noch einmal aus
committe alles und push den Branch
warum ist dieser Befehl fehlgeschlagen
erklär mir, was diese Funktion macht
behebe die Typfehler in dieser Datei
schreib einen Unit-Test für die neue Methode
räum das auf, bevor wir mergen
kannst du die Abfrage schneller machen
mach deine letzte Änderung rückgängig
zeig mir die Unterschiede
was hast du genau geändert und warum
benenne die Variable um und passe alle Stellen an
lies die Ausgabe und such die Ursache
bist du sicher, dass das stimmt
gibt es einen einfacheren Weg
nimm die erste Möglichkeit
die Tests sind immer noch rot
welche Dateien gehören dazu
das Bild wird auf dem Handy nicht geladen
die Schrift ist zu klein und der Abstand zu groß
Wie lange muss ein Sauerteig vor dem Backen ruhen?
Wann werden Tomaten ins Freie gepflanzt?
Wer hat die Decke der Sixtinischen Kapelle gemalt?
Welches ist der höchste Berg in Patagonien?
Brauche ich für drei Wochen Vietnam ein Visum?
Welche Impfungen bekommt ein Neugeborenes im ersten Jahr?
Darf mein Vermieter die Miete zweimal im Jahr erhöhen?
Warum schwimmt Eis auf dem Wasser?
Wie alt werden Meerschweinchen?
Was kostet die Fähre von Genua nach Sardinien?`;

const french = `
exécute-le encore une fois s'il te plaît
valide tout et pousse la branche
pourquoi cette commande a échoué
explique-moi ce que fait cette fonction
corrige les erreurs de type dans ce fichier
écris un test unitaire pour la nouvelle méthode
nettoie ça avant la fusion
peux-tu rendre cette requête plus rapide
annule ta dernière modification
montre-moi les différences
qu'est-ce que tu as changé exactement et pourquoi
renomme la variable partout
lis la sortie et trouve la cause
es-tu sûr que c'est correct
y a-t-il un moyen plus simple
prends la première option
les tests sont toujours en rouge
quels fichiers sont concernés
l'image ne se charge pas sur le téléphone
le texte est trop petit et la marge trop grande
Combien de temps faut-il laisser reposer la pâte ?
Quand peut-on planter les tomates dehors ?
Qui a peint le plafond de la chapelle Sixtine ?
Quelle est la plus haute montagne de Patagonie ?
Ai-je besoin d'un visa pour trois semaines au Vietnam ?
Quels vaccins reçoit un nouveau-né la première année ?
Mon propriétaire peut-il augmenter le loyer deux fois par an ?
Pourquoi la glace flotte-t-elle sur l'eau ?
Combien de temps vivent les cochons d'Inde ?
Combien coûte le ferry de Nice à la Corse ?`;

const spanish = `
ejecútalo otra vez por favor
confirma todo y sube la rama
por qué ha fallado ese comando
explícame qué hace esta función
corrige los errores de tipos en este archivo
escribe una prueba unitaria para el nuevo método
limpia esto antes de fusionar
puedes hacer que esta consulta sea más rápida
deshaz tu último cambio
muéstrame las diferencias
qué has cambiado exactamente y por qué
renombra la variable en todas partes
lee la salida y encuentra la causa
estás seguro de que es correcto
hay una manera más sencilla
usa la primera opción
las pruebas siguen en rojo
qué archivos están afectados
la imagen no se carga en el teléfono
el texto es demasiado pequeño y el margen demasiado grande
¿Cuánto tiempo tiene que reposar la masa madre?
¿Cuándo se plantan los tomates al aire libre?
¿Quién pintó el techo de la Capilla Sixtina?
¿Cuál es la montaña más alta de la Patagonia?
¿Necesito un visado para pasar tres semanas en Vietnam?
¿Qué vacunas recibe un recién nacido el primer año?
¿Puede mi casero subir el alquiler dos veces al año?
¿Por qué flota el hielo en el agua?
¿Cuántos años viven los conejillos de Indias?
¿Cuánto cuesta el ferry de Barcelona a Mallorca?`;

/** A list for each language. */
export const promptsInOtherLanguages: readonly (readonly string[])[] = [german, french, spanish].map((text) =>
  text.trim().split('\n'),
);
