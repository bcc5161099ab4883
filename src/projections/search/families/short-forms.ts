/** Abbreviations in common use beside the full word, most of them among developers. Pure. */

export const shortForms = `
  a11y accessibility, ack acknowledge, ad advertisement, addr address, admin administrator, algo algorithm, app
  application, arg argument, async asynchronous, attr attribute, auth authentication authorization, authn
  authentication, authz authorization, avg average, bg background, bike bicycle, bool boolean, calc calculate, cert
  certificate, char character, cmd command, col column, concat concatenate, config configuration conf cfg, conn
  connection, const constant, cred credential, ctrl control, ctx context, dad father, db database, def definition,
  dep dependency, dept department, desc description, dest dst destination, dev developer development, dict
  dictionary, diff difference, dir directory folder, doc document documentation, dup duplicate, elem element, env
  environment, err error, eval evaluate, exam examination, exec execute, expr expression, ext extension, fmt format,
  fn func function, fridge refrigerator, fs filesystem, gh github, gym gymnasium, i18n internationalization, idx
  index, img image, impl implementation, info information, infra infrastructure, init initialize initialise, int
  integer, intro introduction, js javascript, k8s kube kubernetes, lab laboratory, lang language, len length, lib
  library, math maths mathematics, max maximum, md markdown, mem memory, mgmt management, mgr manager, min minimum,
  mod module, mom mum mother, mongo mongodb, ms millisecond, msg message, ns namespace, num number, obj object, op
  operation, opt option, org organization organisation, param parameter, passwd password pwd pw, perf performance,
  perm permission, pg psql postgres postgresql, phone telephone, photo photograph, pic picture, pkg package, pref
  preference, prev previous, proc process, prod production, prop property, py python, recv receive, ref reference,
  regex regexp, repo repository, repro reproduce, req request, resp response, ret return, rev revision, rm remove,
  sched schedule, seq sequence, spec specification, src source, stats statistics, std standard, stmt statement, str
  string, svc service, sync synchronize, sys system, tech technology, temp temperature, temp tmp temporary, tf
  terraform, tmpl template, ts typescript, tv television, tx txn transaction, tz timezone, uni university, usr user,
  val value, var variable, vec vector, ver version, vet veterinarian, yml yaml`;
