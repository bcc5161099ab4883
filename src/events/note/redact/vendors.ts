/** A table of tokens that begin with their issuer's prefix. Lengths are the shortest that the issuer gives out. */
import type { SecretKind } from './span.js';

export type VendorToken = {
  readonly kind: SecretKind;
  readonly prefixes: readonly string[];
  /** A pattern for what follows the prefix. */
  readonly body: string;
  /** The body must look random too, because the prefix is short or could begin a name. */
  readonly random: boolean;
};

const sure = (kind: SecretKind, prefixes: string, body: string): VendorToken => ({
  kind,
  prefixes: prefixes.split(' '),
  body,
  random: false,
});
const likely = (kind: SecretKind, prefixes: string, body: string): VendorToken => ({
  ...sure(kind, prefixes, body),
  random: true,
});

const alnum = (least: number): string => `[A-Za-z0-9]{${least},400}`;
const word = (least: number): string => String.raw`[\w-]{${least},2000}`;
const hex = (least: number): string => `[0-9a-fA-F]{${least},200}`;
const dotted = (least: number): string => String.raw`[\w-]{${least},400}(?:\.[\w-]{1,400}){0,3}={0,2}`;
const base64 = (least: number): string => `[A-Za-z0-9+/_-]{${least},2000}={0,2}`;

export const vendorTokens: readonly VendorToken[] = [
  sure('aws-access-key', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
  likely('aws-access-key', 'ABSK', '[A-Za-z0-9+/]{90,300}={0,2}'),
  sure('aws-access-key', 'bedrock-api-key-', base64(24)),
  sure('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', alnum(36)),
  sure('github-token', 'github_pat_', String.raw`\w{22,255}`),
  sure(
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct- glwt-',
    String.raw`[\w-]{16,300}(?:\.[0-9a-z]{2})?(?:\.[0-9a-z]{9})?`,
  ),
  likely('gitlab-token', 'GR1348941', word(20)),
  sure('google-api-key', 'AIza', word(35)),
  sure('google-oauth', 'ya29.', String.raw`(?:[a-z]\.)?[\w-]{16,2000}(?:\.[\w-]{1,2000}){0,4}`),
  sure('google-oauth', 'GOCSPX-', word(16)),
  likely('google-oauth', '1//0', word(30)),
  sure('stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ whsec_', '[A-Za-z0-9+/]{10,300}={0,2}'),
  sure('npm-token', 'npm_', alnum(36)),
  sure('api-key', 'pypi-', word(50)),
  sure('api-key', 'rubygems_', hex(40)),
  sure('api-key', 'dckr_pat_ dckr_oat_', word(20)),
  likely('api-key', 'AKCp cmVmd', alnum(50)),
  likely('api-key', 'oy2', '[a-z0-9]{43}(?![A-Za-z0-9])'),
  sure('api-key', 'CLOJARS_', '[0-9A-Za-z]{50,80}'),
  sure('api-key', 'sgp_ sgph_', '(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}'),
  sure('api-key', 'squ_ sqp_ sqa_', hex(40)),
  likely('api-key', 'ATATT3 ATCTT3 ATBB', String.raw`[\w=-]{24,400}`),
  sure('api-key', 'PMAK- PMAT-', '[0-9A-Za-z]{24,30}(?:-[0-9A-Za-z]{30,40})?'),
  likely('api-key', 'cio', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  sure('api-key', 'hf_ api_org_', alnum(30)),
  likely('api-key', 'r8_', alnum(30)),
  sure('api-key', 'gsk_', alnum(40)),
  sure('api-key', 'pplx-', alnum(40)),
  sure('api-key', 'xai-', alnum(40)),
  likely('api-key', 'fw_ nvapi- tgp_v1_ esecret_ jina_ csk- lsv2_pt_ lsv2_sk_ e2b_', word(20)),
  likely('api-key', 'voyage- pa- dsk- tvly- fc- exa-', alnum(28)),
  sure('azure-key', 'AZDO', alnum(40)),
  sure('api-key', 'dop_v1_ doo_v1_ dor_v1_', hex(56)),
  sure('api-key', 'v1.0-', '[0-9a-f]{24}-[0-9a-f]{100,200}'),
  sure('api-key', 'dapi dose dkea', '[0-9a-f]{32}(?:-[0-9])?(?![A-Za-z0-9])'),
  likely('api-key', 'LTAI', '[A-Za-z0-9]{12,24}(?![A-Za-z0-9])'),
  likely('api-key', 'AKID', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  sure('api-key', 'fo1_', word(40)),
  sure('api-key', 'fm1r_ fm1a_ fm2_', base64(80)),
  sure('api-key', 'HRKU-', word(32)),
  sure('api-key', 'hvs. hvb. hvr.', word(20)),
  likely('api-key', 's. b.', '[A-Za-z0-9]{24}(?![A-Za-z0-9])'),
  sure('api-key', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', String.raw`(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,48}`),
  sure('api-key', 'pul-', hex(40)),
  likely('api-key', 'pscale_tkn_ pscale_pw_ pscale_oauth_', String.raw`[\w=.-]{32,64}`),
  sure('api-key', 'sbp_ sbp_v0_', hex(40)),
  sure('api-key', 'sb_secret_', word(20)),
  likely('api-key', 'SG.', String.raw`[\w-]{16,32}\.[\w-]{16,64}`),
  sure('api-key', 'SK', '[0-9a-f]{32}(?![A-Za-z0-9])'),
  sure('api-key', 'key-', '[0-9a-f]{32}(?![A-Za-z0-9])'),
  sure('api-key', 'xkeysib- xsmtpsib-', '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  likely('api-key', 're_', '[A-Za-z0-9]{6,10}_[A-Za-z0-9]{18,30}'),
  sure('api-key', 'shpat_ shpca_ shppa_ shpss_ shptka_', hex(32)),
  likely('api-key', 'EAAA sq0atp- sq0csp- EAAC EAAG EAAM EAAB EAAD', word(22)),
  sure('api-key', 'lin_api_ lin_oauth_', alnum(32)),
  sure('api-key', 'figd_ figu_ figo_', word(30)),
  likely('api-key', 'ntn_', alnum(40)),
  likely('api-key', 'secret_', '[A-Za-z0-9]{43}(?![A-Za-z0-9])'),
  sure('api-key', 'pat', String.raw`[A-Za-z0-9]{14}\.[0-9a-f]{64}`),
  likely('api-key', 'pat- pat. sat.', String.raw`(?:na1-|eu1-|na2-)?[\w-]{20,60}(?:\.[A-Za-z0-9]{20,30}){0,2}`),
  sure('api-key', 'glsa_', '[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}'),
  sure('api-key', 'glc_', base64(32)),
  sure('api-key', 'NRAK- NRII- NRJS- NRAA- NRRA-', '[A-Za-z0-9-]{19,64}'),
  sure('api-key', 'sntryu_ sntryp_', hex(64)),
  sure('api-key', 'sntrys_', String.raw`[\w+/=-]{40,600}`),
  sure('api-key', 'dt0c01. dt0s01. dt0s16.', String.raw`[A-Z0-9a-z]{8,24}\.[A-Z0-9a-z]{64}`),
  sure(
    'api-key',
    'access-sandbox- access-development- access-production-',
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  ),
  sure('api-key', 'tskey-', word(20)),
  sure('api-key', 'ops_eyJ', base64(80)),
  likely('api-key', 'A3-', '[A-Z0-9]{6}-[A-Z0-9-]{20,40}'),
  sure('private-key', 'AGE-SECRET-KEY-1', '[0-9A-Z]{40,70}'),
  sure('private-key', 'nsec1', '[0-9a-z]{50,70}'),
  likely('private-key', 'xprv zprv yprv', '[1-9A-HJ-NP-Za-km-z]{90,120}'),
  likely(
    'api-key',
    'duffel_test_ duffel_live_ shippo_live_ shippo_test_ fio-u- ico- rdme_ pnu_ sm_pat_ tfp_ sha256~',
    word(20),
  ),
  likely('api-key', 'EZAK EZTK', alnum(54)),
  likely('api-key', 'FLWSECK_TEST- FLWSECK-', word(12)),
  likely('api-key', 'API-', '[A-Z0-9]{25,32}(?![A-Za-z0-9])'),
  likely(
    'api-key',
    'ctp_ vcp_ vca_ vercel_ nfp_ nfc_ rnd_ railway_ bkua_ bkpt_ CCIPAT_ cfut_ cfat_ cfk_ clojars_ phx_ whk_',
    word(20),
  ),
  likely('api-key', 'sk_ ak_ rk_ ek_ pk_prod_', '[A-Za-z0-9]{32,128}(?![A-Za-z0-9])'),
  likely('api-key', 'AQVN t1. YCAJ', dotted(32)),
  sure('api-key', 'access_token$production$ access_token$sandbox$', '[0-9a-z]{16}[$][0-9a-f]{32}'),
  sure('api-key', 'amzn.mws.', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'),
  likely('api-key', 'pdl_live_apikey_ pdl_sdbx_apikey_', '[0-9a-z]{26}_[A-Za-z0-9]{16,40}_[A-Za-z0-9]{2,5}'),
  likely('api-key', 'polar_oat_ polar_pat_ polar_whs_', alnum(32)),
  sure('api-key', 'ATTA', '[0-9a-f]{60,76}(?![A-Za-z0-9])'),
  likely('api-key', 'CFPAT-', word(40)),
  likely('google-api-key', 'AQ.Ab8', word(30)),
  likely('api-key', 'ddp_ ddo_', '[A-Za-z0-9]{36,40}(?![A-Za-z0-9])'),
  likely('api-key', 'sl.', String.raw`(?:u\.)?[\w-]{120,2000}`),
  likely('api-key', 'sk.eyJ', String.raw`[\w-]{30,400}\.[\w-]{20,60}`),
  sure('api-key', 'eyJrIjoi', '[A-Za-z0-9+/_-]{40,400}={0,2}(?![A-Za-z0-9+/_.-])'),
  likely('api-key', 'pcsk_', '[A-Za-z0-9]{4,10}_[A-Za-z0-9]{40,80}'),
  likely('api-key', 'apify_api_', alnum(30)),
  likely('api-key', 'tvly-dev- tvly-prod-', word(24)),
  likely('api-key', 'snyk_uat. snyk_sat.', String.raw`[\w-]{4,40}\.[\w-]{30,400}(?:\.[\w-]{1,400})?`),
  likely('api-key', 'vk1.a.', word(60)),
  likely('api-key', 'jsrt_ jsrp_ jsrd_', alnum(30)),
  likely('api-key', 'KGAT_', '[0-9a-f]{32}(?![A-Za-z0-9])'),
  likely('api-key', 'wandb_v1_', word(40)),
];
