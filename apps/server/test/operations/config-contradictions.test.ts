import { describe, expect, test } from 'vitest'
import { read, refusalOf } from './read-config.ts'

const hosted = { HOSTED: 'true', OIDC_ISSUER: 'https://id.example.org', OIDC_AUDIENCE: 'atrium' }

describe('contradictions', () => {
  const database = 'postgres://u:hush-hush@db/x'
  test.each<[string, Record<string, string>, RegExp]>([
    ['[R4] several instances without a database', { REDIS_URL: 'redis://r' }, /needs DATABASE_URL:/],
    ['[R4] several instances without Redis', { DATABASE_URL: database }, /needs REDIS_URL:/],
    ['[R4] several instances without either', {}, /needs DATABASE_URL and REDIS_URL:/],
  ])('%s', (_name, env, sentence) => {
    const refusal = refusalOf({ ...env, HORIZONTAL_SCALING_ENABLED: 'true' })
    expect(refusal).toMatch(/^HORIZONTAL_SCALING_ENABLED/)
    expect(refusal).toMatch(sentence)
    expect(refusal).not.toContain('hush-hush')
  })

  test('[V1] an object store or a transcoder with half of what it needs', () => {
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hush-hush' }
    const store = { S3_ENDPOINT: 'https://s3.example.org', ...keys }
    const role = { TRANSCODER_ROLE: 'arn:aws:iam::1:role/convert' }
    const INTERNAL_API_KEY = 'hush-hush-hush-hush'
    for (const [env, sentence] of [
      [{ S3_ENDPOINT: store.S3_ENDPOINT }, /^S3_ACCESS_KEY_ID is required with S3_ENDPOINT/],
      [{ ...store, S3_SECRET_ACCESS_KEY: '' }, /^S3_SECRET_ACCESS_KEY is required with S3_ENDPOINT/],
      [keys, /^S3_ENDPOINT is required with S3_ACCESS_KEY_ID/],
      [
        { TRANSCODER_ENDPOINT: 'https://x.example.org' },
        /^TRANSCODER_ROLE is required with TRANSCODER_ENDPOINT/,
      ],
      [{ ...role, INTERNAL_API_KEY }, /^S3_ENDPOINT is required with TRANSCODER_ROLE/],
      [{ ...role, ...store }, /^INTERNAL_API_KEY is required with TRANSCODER_ROLE/],
    ] as const) {
      const refusal = refusalOf(env)
      expect(refusal).toMatch(sentence)
      expect(refusal).not.toContain('hush-hush')
    }
    expect(read({ ...store, ...role, INTERNAL_API_KEY })).toMatchObject({
      objectStore: {
        endpoint: store.S3_ENDPOINT,
        accessKeyId: 'id',
        region: 'us-east-1',
        forcePathStyle: true,
      },
      video: { mediaConvert: { role: role.TRANSCODER_ROLE, endpoint: undefined } },
    })
  })

  test('[R6] hosted or in production without an identity provider', () => {
    const secret = { SESSION_SECRET: 'x'.repeat(32) }
    expect(refusalOf({ HOSTED: 'true', ...secret })).toMatch(/^OIDC_ISSUER is required/)
    for (const NODE_ENV of ['production', 'Production', 'PRODUCTION', ' production '])
      expect(refusalOf({ NODE_ENV, ...secret }), NODE_ENV).toMatch(/^OIDC_ISSUER is required/)
    expect(read({ NODE_ENV: 'productions' }).hosted).toBe(false)
  })

  test.each<[string, Record<string, string>]>([
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.example.org' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://127.0.0.1.example.org/realm' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://localhost@id.example.org' }],
    ['OIDC_JWKS_URI', { OIDC_JWKS_URI: 'http://id.example.org/keys' }],
  ])('[R5] hosted, with keys or an issuer that can be forged in transit: %s', (name, env) => {
    const open = { ...hosted, SESSION_SECRET: 'x'.repeat(32), ...env }
    expect(refusalOf(open)).toMatch(new RegExp(`^${name} must be an https:// address`))
    expect(refusalOf({ ...open, HOSTED: 'false', NODE_ENV: 'Production' })).toMatch(new RegExp(`^${name} `))
    expect(read({ ...open, HOSTED: 'false' }).hosted).toBe(false)
  })

  test('[R5] hosted, an issuer on this machine does not need https', () => {
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:9000'])
      expect(
        read({ ...hosted, SESSION_SECRET: 'x'.repeat(32), OIDC_ISSUER: `http://${host}/realm` }).hosted,
      ).toBe(true)
  })

  test('[R12] hosted or in production without a session secret, or with a short one', () => {
    const { HOSTED: _hosted, ...production } = { ...hosted, NODE_ENV: 'production' }
    for (const env of [hosted, production, { ...hosted, SESSION_SECRET: 'hush-hush' }]) {
      expect(refusalOf(env)).toMatch(/^SESSION_SECRET of at least 16 characters is required/)
      expect(refusalOf(env)).not.toContain('hush-hush')
    }
    expect(read({ ...hosted, SESSION_SECRET: 'x'.repeat(16) }).hosted).toBe(true)
  })

  test('[R5] an issuer without an audience', () => {
    expect(refusalOf({ OIDC_ISSUER: 'https://id.example.org' })).toMatch(/^OIDC_AUDIENCE is required/)
  })

  test('the same port for API and metrics', () => {
    expect(refusalOf({ PORT: '4000', METRICS_PORT: '4000' })).toMatch(/^METRICS_PORT must differ from PORT/)
    expect(read({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 })
  })
})
