/**
 * Prompts that no store should answer: how well its best notes fit them decides how well a note must fit to be shown
 * (docs/recall.md). Data: editing them changes the threshold of every store.
 */

/** Things people say to an agent about whatever is open. */
const everyday = `
run it once more please
commit what you have and push the branch
why did that command fail
explain what this function does
yes do it
go ahead
looks good to me, thanks
fix the failing tests
please fix the type errors in this file
write a unit test for the new method
refactor the handler so that it is easier to read
clean this up before we merge
can you make this query faster
undo your last edit
show me the current diff
what exactly did you change and why
open a pull request with a short description
create a feature branch and switch to it
rebase on main and resolve the conflicts
rename the class and update all usages
add doc comments to the exported functions
update the changelog for the release
build the project and tell me about warnings
still broken, same stack trace as before
it works on my machine but not in CI
here is the log output, find the cause
are you certain this is correct
is there an easier way
use the first option
carry out the plan you proposed
begin with the second item of the list
give me a summary of this session
review the code in the last commit
find where this constant is defined
search for dead code and delete it
which tests cover this module
install the missing packages
don't use a library for this
extract that into a helper
tell me when everything passes
double check the edge cases
handle the error instead of ignoring it
log the request before it is sent
no, put it back the way it was
make the names more consistent
split the file in two
suggest a better commit message
keep the change as small as possible
what does this error mean
bump the version and tag it
format the code with the linter
mach das bitte noch einmal
warum klappt das nicht
kannst du die Tests reparieren
schreib einen Kommentar dazu
ja, genau so
explique-moi ce code
lance encore une fois les tests
oui, vas-y
non, annule ce changement`;

/** Questions on all kinds of subjects, a fifth of them technical. */
const foreign = `
How long should a sourdough loaf rest before it is baked?
What temperature is right for roasting a whole duck?
Which spices belong in a traditional garam masala?
Can I freeze fresh basil without losing its flavour?
Why does my custard curdle when I add the eggs?
How many cups of flour make one kilogram?
When should tomatoes be planted out in a cold climate?
What kills slugs without harming hedgehogs?
How often does a bonsai maple need repotting?
Why are the leaves of my lemon tree turning yellow?
Which grass seed grows well in the shade?
How deep do tulip bulbs have to be buried?
Who led the Carthaginian army across the Alps?
When was the Treaty of Westphalia signed?
What caused the fall of the Ming dynasty?
Which king ordered the Domesday Book to be compiled?
How many soldiers died at the battle of Borodino?
Why did the Hanseatic League decline?
What was the currency of the Inca empire?
Who painted the ceiling of the Sistine Chapel?
Where are the headwaters of the Mekong river?
What is the highest mountain in Patagonia?
Which countries share a border with Lake Chad?
How large is the population of Reykjavik?
Is Kyoto worth visiting in the rainy season?
What is the best way to travel from Lisbon to Seville?
Do I need a visa to spend three weeks in Vietnam?
Which island of the Azores has hot springs?
How far is the ferry crossing from Piraeus to Naxos?
What should I pack for a winter trek in Lapland?
Who won the women's marathon at the Seoul Olympics?
How many points is a drop goal worth in rugby?
What does offside mean in ice hockey?
Which cyclist has won the most mountain stages?
How do I improve my backhand in table tennis?
What weight of dumbbell should a beginner start with?
How many rounds does a professional boxing match have?
Which chess opening begins with the queen's gambit?
How does a goalkeeper read a penalty kick?
What are the symptoms of an iron deficiency?
Which vaccines does a newborn receive in the first year?
How is a torn meniscus treated without surgery?
What side effects does ibuprofen have on the stomach?
Did the patients in the placebo group sleep better?
What is the normal resting heart rate of a teenager?
How is insulin resistance associated with liver fat?
Which antibodies protect against measles?
Can a sinus infection cause toothache?
How do kidneys regulate blood pressure?
What did my doctor say about my cholesterol last spring?
How much of a gift to my grandchildren is free of tax?
What is the difference between a will and a trust?
Can my landlord raise the rent twice in a year?
When does a contract signed by a minor become binding?
Who inherits a house when there is no spouse?
What notice period applies after ten years of employment?
Which documents does a small claims court ask for?
What interest rate did the bank offer me on the car loan?
How did the company's operating margin develop last quarter?
What were the net revenues of the airline in 2019?
Why did the board raise the dividend?
How is goodwill amortised after an acquisition?
What share of the fund is invested in emerging markets?
Which analyst downgraded the steel maker's bonds?
How much did crude oil inventories fall in March?
What does a put option cost at the money?
Who wrote the libretto of The Magic Flute?
Which key is Schubert's unfinished symphony in?
How do I tune a twelve-string guitar?
Who directed the film about the lighthouse keepers?
What happens to the detective at the end of the novel?
Which actress played the governess in the remake?
In what year did the band release its second album?
What is the rhyme scheme of a villanelle?
Who is the narrator of Moby Dick?
Which museum owns the Girl with a Pearl Earring?
How does a pinhole camera project an image?
What lens is best for photographing birds?
Why do glaciers look blue?
How old is the oldest known meteorite?
What is the orbital period of Ganymede?
How do bees tell each other where flowers are?
Which dinosaurs lived in the Cretaceous period?
What makes a superconductor lose its resistance?
How many neutrons does an atom of cobalt have?
Why does ice float on water?
How do octopuses change the colour of their skin?
What causes the northern lights?
When will the next total solar eclipse cross Spain?
How is limestone formed on the sea floor?
Which bird has the largest wingspan?
What do koalas eat besides eucalyptus?
How is a volcanic eruption predicted?
How long do guinea pigs live?
My puppy chews the furniture, what can I do?
Which breed of horse is suited to beginners?
How do I introduce a kitten to an older cat?
What did Oliver give his sister for her wedding?
When did Martina start her pottery class?
Which university did Jonas want to apply to?
What was the name of the dog that Priya adopted?
How did Helen feel after the charity concert?
Where did Tobias and Ana spend their honeymoon?
What book did Grandma recommend to me at Christmas?
How many siblings does Ingrid have?
What hobby did Marcus take up after he retired?
Why did Leila decide to move back to her home town?
What colour did we paint the nursery?
Which restaurant did I take my parents to in June?
How much did I spend on groceries last week?
What time does my yoga class begin on Thursdays?
Who taught the art workshop that Clara visited?
What is the plural of octopus in Latin?
How do I say good evening in Hungarian?
Which languages are written from right to left?
What does the proverb about the early bird mean?
How does the electoral college choose a president?
What did the minister promise about teachers' salaries?
Which party won most seats in the Swedish parliament?
How many judges sit on the constitutional court?
Why did the bishops oppose the reform?
When did the republic join the customs union?
How do I bleed the brakes of a mountain bike?
What oil does a two-stroke outboard engine need?
Which screws hold plasterboard to a metal stud?
How thick should a concrete garage floor be?
Why does the boiler lose pressure overnight?
Which paint sticks to galvanised steel?
How do I crochet a granny square?
What knot is used to moor a dinghy?
excel formula to sum every third row
matlab plot surface with logarithmic colour axis
how to rotate a sprite in a gameboy assembler
verilog state machine with asynchronous reset
how do I blend two shaders in a game engine
cobol paragraph that reads a sequential file
convert fahrenheit to celsius in fortran
r ggplot violin chart ordered by median
how to calibrate the extruder of a 3d printer
arduino sketch that dims an led strip
latex table with rotated column headings
which soldering iron tip for surface mount parts`;

const linesOf = (text: string): readonly string[] => text.trim().split('\n');

export const referencePrompts: readonly string[] = [...linesOf(everyday), ...linesOf(foreign)];
