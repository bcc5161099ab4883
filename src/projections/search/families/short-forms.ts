/** Abbreviations in common use beside the full word, most of them among developers. Pure. */

export const shortForms = `
  ad advertisement, admin administrator, app application, arg argument, async asynchronous, attr attribute, auth
  authentication authorization, bike bicycle, bool boolean, char character, cmd command, config configuration conf
  cfg, conn connection, ctx context, dad father, db database, dep dependency, dest destination, dev developer
  development, dict dictionary, dir directory folder, doc document documentation, elem element, env environment, err
  error, exam examination, exec execute, expr expression, fn func function, fridge refrigerator, gym gymnasium, img
  image, impl implementation, info information, init initialize, int integer, js javascript, k8s kubernetes, lab
  laboratory, lang language, lib library, math maths mathematics, max maximum, min minimum, mom mum mother, msg
  message, num number, obj object, org organization, param parameter, passwd password pwd, perf performance, pg
  postgres postgresql, phone telephone, photo photograph, pic picture, pkg package, prev previous, proc process, prod
  production, py python, ref reference, regex regexp, repo repository, req request, resp response, seq sequence, spec
  specification, src source, stats statistics, std standard, stmt statement, str string, svc service, sync
  synchronize, temp tmp temporary, ts typescript, tv television, uni university, val value, var variable, vec vector,
  vet veterinarian`;
