/** Passwords recognised by the program that reads them, not by a name beside them. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';

const hash = `kQ7zX2mV${'$'}${'9fT3bWq.LsYp/E1n'.repeat(5)}`;

describe('the password at such a place is masked, and nothing else:', () => {
  it.each([
    ...[
      'net use Z: \\\\fs01\\share /user:corp\\bob «Kf8mQ2vzLp7x»',
      'net use \\\\fs01\\share /user:corp\\bob «Kf8mQ2vzLp7x»',
      'net use X: \\\\fs01\\share «Kf8mQ2vzLp7x» /user:corp\\bob',
      'net use \\\\fs01\\IPC$ "«Kf8mQ2vzLp7x»" /u:bob /persistent:yes',
      'net use X: \\\\fs01\\share «Kf8mQ2vzLp7x»',
      'Mounted by: net use h: \\\\fs01\\home /user:bob «Kf8mQ2vzLp7x»',
    ],
    ...[
      'aws ssm put-parameter --name /prod/db --value «Kf8mQ2vzLp7x» --type SecureString',
      "aws ssm put-parameter --name /prod/db --type SecureString --value '«hunter22»'",
      'aws ssm put-parameter \\\n  --name /prod/db \\\n  --value "«Kf8mQ2vzLp7x»"',
      'aws secretsmanager create-secret --name db --secret-string «Kf8mQ2vzLp7x»',
      'aws secretsmanager put-secret-value --secret-id db --secret-string="«Kf8mQ2vzLp7x»"',
    ],
    ...[
      'DriverManager.getConnection(url,"app","«Kf8mQ2vzLp7x»")',
      'DriverManager.getConnection("jdbc:mysql://db/shop?ssl=true", "app", "«Kf8mQ2vzLp7x»");',
    ],
    ...[
      "cy.get('#password').type('«Kf8mQ2vzLp7x»')",
      "cy.get('input[name=\"password\"]').type('«Kf8mQ2vzLp7x»{enter}')",
      "await page.getByLabel('Password').fill('«Kf8mQ2vzLp7x»');",
      'await page.getByLabel("Password", { exact: true }).fill("«Kf8mQ2vzLp7x»");',
      'driver.find_element(By.ID, "password").send_keys("«Kf8mQ2vzLp7x»")',
    ],
    ...[
      'expect "password:"\nsend "«Kf8mQ2vzLp7x»"',
      'expect "*?assword:*"\nsend -- "«Kf8mQ2vzLp7x»\\r"',
      'expect {\n  "password:" { send "«Kf8mQ2vzLp7x»\\r" }\n}',
      "child.expect('Password:')\nchild.sendline('«Kf8mQ2vzLp7x»')",
    ],
    ...['base dc=corp\nbindpw «Kf8mQ2vzLp7x»\nport 389', 'rootpw\t«Kf8mQ2vzLp7x»'],
    ...[
      'echo «Kf8mQ2vzLp7x» | wrangler secret put DB_PASS',
      'echo -n "«Kf8mQ2vzLp7x»" | npx wrangler secret put API',
      'echo «Kf8mQ2vzLp7x» | gh secret set DEPLOY',
      "printf '«Kf8mQ2vzLp7x»' | docker secret create db -",
      'echo «Kf8mQ2vzLp7x» | vercel env add DB production',
    ],
    ...[
      `root:$6$«${hash}»:19700:0:99999:7:::`,
      `daemon:*:19700::\nanna:$y$j9T$«${hash}»:19700:0:99999:7:::`,
      `anna:$apr1$«${hash}»`,
    ],
  ])('%j', (marked) => {
    const masked = redact(marked.replace(/[«»]/g, '')).text;
    expect(masked).toMatch(/\[REDACTED:[a-z-]+\]/);
    expect(masked.replace(/\[REDACTED:[a-z-]+\]/, '*')).toBe(marked.replace(/«.*»/, '*'));
  });
});

describe('a text at such a place that is not a secret stays:', () => {
  it.each([
    ...['net use Z: \\\\fs01\\share /user:bob /persistent:yes', 'net use Z: \\\\fs01\\share which is mapped then'],
    ...['net use Z: \\\\fs01\\share', 'net use: maps a drive for the user bob afterwards'],
    ...[
      'aws ssm put-parameter --name /app/size --value t3.micro --type String',
      'aws ssm put-parameter --name /app/stage --value production',
      'aws ssm put-parameter --name /prod/db --value file://db.txt --type SecureString',
      'aws ssm put-parameter --name /prod/db --value "$DB_VALUE" --type SecureString',
      'aws secretsmanager create-secret --name db --secret-string file://db.json',
      'aws secretsmanager create-secret --name db --secret-string "$(cat db.json)"',
    ],
    ...['DriverManager.getConnection(url, user, password)', 'pool.getConnection(url, "root", "root")'],
    ...[
      "cy.get('#password').type('password')",
      "cy.get('#name').type('Release2026b')",
      "page.getByLabel('Password').fill(process.env.APP_VALUE1)",
      "page.getByLabel('Password').fill('wrong-password')",
    ],
    ...['We expect a password here.\nsend "hello" to the queue', 'expect "password:"\nsend "$value\\r"'],
    ...['bindpw should be set in /etc/ldap.conf', 'bindpw <secret>'],
    ...['echo production | vercel env add NODE_ENV', 'echo $VALUE | gh secret set DEPLOY', 'echo done | wrangler tail'],
    ...['root:x:0:0:root:/root:/bin/bash', 'root:*:19700:0:99999:7:::', 'the form is user:$6$salt$hash in there'],
  ])('%j', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});
