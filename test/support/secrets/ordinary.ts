/** Lines of ordinary engineering notes that resemble secrets but contain none. */

/** 64 hexadecimal digits, as in a digest. */
const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** One text per line; texts of several lines are in a separate list. */
const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Settings and columns whose names begin or end with the name of a secret. */
const settings = lines(String.raw`
SET password_encryption = 'scram-sha-256';
UPDATE users SET password_changed_at = '2024-11-02T10:00:00Z' WHERE id = 4;
UPDATE users SET password_algo = 'argon2id'
UPDATE users SET password_algo = 'bcrypt2b', password_cost = '12' WHERE id = 7;
UPDATE accounts SET password_reset_token_expires_at = '2024-11-02 10:00:00+00';
SET password_history = '5a'
ALTER SYSTEM SET password_encryption TO 'scram-sha-256';
GF_SECURITY_ADMIN_PASSWORD__FILE=/run/secrets/grafana_admin_pw2
POSTGRES_PASSWORD_FILE=/run/secrets/pg_pw2
MYSQL_ROOT_PASSWORD_FILE: /run/secrets/db1_root_pw
password_backend=ldap3
password_backend = "ldap3-prod2"
passwd_file: /etc/passwd2
password_file = "etc/pw2.txt"
PASSWORD_PATH=config/vault2/pw
password_policy: min12upper1digit1
password_policy = "nist-800-63b"
PASSWORD_HASHERS = ['argon2id13', 'bcrypt2y']
password_hash_algo: pbkdf2-sha256-310k
PASSWORD_ENCRYPTION_METHOD=SHA512CRYPT5
password_length=24chars
password_min_length: 12c4
password_ttl=90d12h
password_max_age = "P90DT12H"
password_url=https2-reset.test
PASSWORD_RESET_URL=app2/reset/step1
password_reset_timeout=15m30s
password_name: db2-main-pw
password_key_id: kid-2024a7b9c
password_field = "user2_pw"
PASSWORD_MANAGER=1password8
PASSWORD_STORE_DIR=stores/team2b
password_plugin: caching_sha2
password_scheme = "SSHA512.b64"
password_version=v3beta2
password_provider: okta2fa
password_mode=sha2push1
password_expires_at: 2025-01-31T23:59:59Z
password_updated: 2024-12-24T18h30
password_prompt = "Enter2continue"
password_regex: [A-Z]{2}\d{4}x
password_strength = 'zxcvbn4'
PASSWORD_LENGTH_MIN=8to64
token_id=tok_1NfZ2eKZvKYlo2C0x1y2z3A4
token_id: tok_1PqR4sTuV7wXyZ8aBcDeFgHi
TOKEN_FILE=/var/run/secrets/kubernetes.io/serviceaccount/token2
token_path = "data/tokens/a1b2c3d4e5.json"
token_url=https://login.test/oauth2/v2.0/token
token_endpoint: oauth2-v2.login7x9.test
TOKEN_TTL=86400s12ms
token_ttl = "24h30m15s7ms"
token_issuer: issuer7f3k2-prod1
token_type: urn:ietf:params:oauth:token-type:jwt2a
token_algo=ES256K1r2
token_algorithm: "RS512-v2b7"
token_policy: team2-read-only4
token_policies = ["ci2-deploy7", "k8s-read3"]
token_name=ci-runner-2024a7b
token_backend = "redis7-cluster2"
token_bucket: bucket4x7-eu1
token_store=dynamodb2-eu1a
token_prefix: tok7_live2x
token_version = 2024a7b3c
token_hash: sha256-v2x4b6
token_encryption=aes-256-gcm-v2
token_audience: api7x2.internal4
token_expires_at: 2025-02-03T04:05:06.789Z
token_created_at=2024-11-02T10:11:12Z
token_last_used: 2024-11-02T10:11:12Z
token_renew_window=7d12h30m
token_accessor: hmac7x2k4m6p8r0t2
token_model=gpt4o-2024-08-06
TOKEN_BUDGET=128k4turns
token_counter: tiktoken-cl100k2
token_alias = "ci7-deploy2"
token_scope: repo2-read,repo2-write
secret_id=sec_7f3k2m9x4b
secret_name=shop2-db-creds-7f9k2
SECRET_NAME_PREFIX=team2/prod1/shop7
secret_path = "kv2/data/shop7/db1"
SECRET_FILE=/etc/shop2/secret7.txt
secret_arn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-Ab1dEf
secret_backend: vault2-kv2-prod1
SECRET_BACKEND_ROLE=ci7-reader2
secret_engine = "kv-v2-mount7"
secret_version: v17-2024a7b
secret_url=vault7.test/v1/kv2/shop
secret_ttl: 72h30m15s
secret_policy = "rotate90d-v2"
secret_type: kubernetes.io/tls2x4b
secret_store = "aws7-sm2-eu1"
secret_provider: gcpsm2-eu4
secret_rotation_days=30d12h5m
secret_created_at: 2024-11-02T10:11:12Z
secret_encryption=aws2kms7key4
secret_algo: hkdf-sha256-v2
secret_length = '32bytes4b64'
secret_mount_path=/mnt/secrets7/a1b2c3
SecretProviderClass: azure-kv7x2-eu
SecretName: shop2-tls7x4k
secretKeyRef: shop2-db7x4k
passwordEncryption: scramSha256v2
passwordChangedAt: "2024-11-02T10:00:00Z"
passwordAlgo: 'argon2id'
passwordPolicyId: 'pol7x2k4'
passwordFile: 'conf/pw7.txt'
passwordLength: '12to64'
"passwordPolicy": "nist800-63b"
"passwordBackend": "ldap3"
"passwordHashAlgorithm": "pbkdf2-310k"
"passwordResetUrl": "app2/reset7"
"tokenId": "tok_1NfZ2eKZvKYlo2C0"
"tokenEndpoint": "login7x2.test/oauth2"
"tokenStore": "redis7-eu1a2b"
"tokenName": "ci7x2-deploy4"
"secretId": "sec7x2k4m6p8"
"secretBackend": "vault2-prod7x"
api_key_id=ak7x2k4m6p8r0t2
API_KEY_NAME=ci7x2-deploy4b
api_key_header: X-Shop2-Key7
access_key_id: key7x2k4m6p8r0
private_key_path=keys/shop2/id7x4
PRIVATE_KEY_FILE = "certs7/shop2.key4"
private_key_id: 7f3k2m9x4b8c1d5e
`);

/** Values that say where a secret is kept, or what it is made with. */
const references = lines(`
- password → ${'`'}DB_PASSWORD2${'`'} (GitHub secret)
- token → ${'`'}NPM_TOKEN_2${'`'} (repository secret)
password: ${'`'}DB2_PASSWORD${'`'} in 1Password
The password is ${'`'}DB_PASSWORD2${'`'} in the vault.
psql "host=db2 user=app2 password=$PGPASSWORD dbname=shop2"
psql "host=db2 port=5432 user=app2 password=${'$'}{DB2_PW} dbname=shop2"
psql "host=db2 user=app2 password=%PGPASSWORD% dbname=shop2"
psql "host=db2 user=app2 password=$(pass show db2) dbname=shop2"
dsn = f"host=db2 user=app2 password={pw2} dbname=shop2"
Password={env:DB_PW2}
Password={env:DB_PW2};Server=db2
Server=db2;User Id=sa;Password={DB_PW2};
Server=db2;Uid=app2;Pwd=$(DbPw2);Database=shop2
password={file:/run/secrets/db2}
secret={vault:kv2/shop7#pw}
KMS key mrk-1234abcd12ab34cd56ef1234567890ab
KMS key id: mrk-1234abcd12ab34cd56ef1234567890ab
the kms key is mrk-1234abcd12ab34cd56ef1234567890ab in eu-west-1
kms_key: alias/shop2-db7x4k
secret: sha256:${digest}
token: sha256:${digest}
password: sha256:${digest}
api_key: md5:9f86d081884c7d659a2feaa0c55ad015
secret: sha512:${digest}${digest}
the token hash is sha256:${digest}
machine alpha login works; password reset2 works
on machine build2 login works and password reset3 is broken
default login works, password change4 too
machine beta2: login ok, password form3 ok
token: ref+vault://kv2/shop7#/token
password: !vault-encrypted kv2/shop7
password: (see 1Password, item shop2-db)
`);

/** Commands followed by another program with an option that looks like one of the first. */
const commands = lines(String.raw`
mysqldump shop > x.sql; find . -path ./node_modules -prune -o -print
mysql dump first, then openssl pkcs12 -in a.p12 -passin file:pw.txt
mysql 8: ${'`'}docker compose -f a.yml -pshop2 up${'`'}
mysqladmin -uroot ping; kubectl logs -prometheus-0
mysqldump shop2 | gzip -c | split -b 10m -port2
mysql shop2 < a.sql && docker compose -pshop2 up
mysql shop2 < a.sql || cp -preserve2 a b
mysql -e "select 1"; ssh -p2222 host7
mysqldump shop | ssh -p2222 backup2 'cat > x.sql'
Run mysql, then ${'`'}nmap -p3306-3310 db2${'`'}.
(mysql shop2 < a.sql) && tar -pxf2 a.tar
mysql in the container; ${'`'}pytest -pno:cacheprovider7${'`'} outside
mysqldump of shop2 first, then rsync -path2 x y
mariadb 11 needs ${'`'}make -pgoals2${'`'} to list targets
mongodump first; docker run -p27017:27017 mongo:7
mongo 7: ${'`'}kubectl port-forward -pod2 27017${'`'}
sshpass is installed; ssh -p2222 deploy7@host2
zip the logs, then grep -P '\d{4}x' a.log
unzip a.zip && grep -Prn2 foo src
curl the page; sort -u file2:key3 > out
curl -s https://a.test | sort -u -k2:3x
docker login first; docker run -p 8080:8080x registry2
redis-cli ping; ls -a config2dir
redis-cli ping && uname -a kernel7x
ldapsearch first, then pgrep -w session7x
7z is there; mkdir -p src2/main4
openssl version; sort -k 2,3n file7
openssl pkcs12 -in a.p12 -passin env:PW_VAR2
openssl rsa -passin file:/run/pw2.txt -in key2.pem
kubectl logs -prometheus-0 after mysql is up
`);

/** `kind: Secret` in a sentence or elsewhere is not a manifest, and not every value of a manifest is a secret. */
const manifests: readonly string[] = [
  'We use `kind: Secret` for this.\n\n```yaml\nkind: ConfigMap\ndata:\n  DB_HOST: db2.internal4\n  API_URL: api7x2.test\n```\n',
  'Every kind: Secret is sealed.\n\ndata:\n  region: eu-west-1a\n  cluster: shop2-k7x4\n',
  'kind: Secret is masked in notes.\n\n```yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop2\ndata:\n  build: 2024a7b3c\n```',
  '```yaml\napiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n```\n\n```yaml\nother:\n  data:\n    build: 2024a7b3c\n    name: shop2x\n```\n',
  '```yaml\napiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\ndata:\n  build: 2024a7b3c\n```\n',
  'apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop2\nstringData:\n  LOG_LEVEL: info\n  FEATURE_X: "true"\n  DB_HOST: db2.internal4\n  DB_PORT: "5432"\n',
  'apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop2\ndata:\n  username: <base64 of the user>\n  password: <base64 of the password>\n',
  'apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop2\nstringData:\n  config.yaml: |\n    level: info2\n    host: db2\n',
  '{"kind": "Secret", "metadata": {"name": "a"}, "stringData": {"LOG_LEVEL": "info", "REGION": "eu-west-1"}}',
  'A `kind: Secret` and its data:\n\n- data:\n  build: 2024a7b3c\n',
];

export const ordinaryTexts: readonly string[] = [...settings, ...references, ...commands, ...manifests];
