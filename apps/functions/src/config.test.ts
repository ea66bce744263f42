import { describe, expect, test } from 'vitest'
import { functionKeys, readCallbackConfig, readSubmitConfig } from './config.ts'

const env = {
  BACKEND_URL: 'https://study.example.org',
  INTERNAL_API_KEY: 'a-shared-secret',
  VIDEO_BUCKET: 'study-videos',
  TRANSCODER_ROLE: 'arn:aws:iam::111122223333:role/MediaConvert',
}

describe('[R2] the configuration of the functions', () => {
  test('is what they need, and the endpoint is optional', () => {
    const backend = { url: env.BACKEND_URL, key: env.INTERNAL_API_KEY }
    expect(readCallbackConfig(env)).toEqual({ backend })
    expect(readSubmitConfig(env)).toEqual({
      backend,
      bucket: env.VIDEO_BUCKET,
      role: env.TRANSCODER_ROLE,
      endpoint: undefined,
    })
  })

  test.each(Object.keys(env))('without %s is refused by name', (name) => {
    expect(() => readSubmitConfig({ ...env, [name]: '' })).toThrow(`${name} is required.`)
  })

  test('with an address that is none is refused by name, without showing secrets', () => {
    expect(() => readCallbackConfig({ ...env, BACKEND_URL: 'study.example.org' })).toThrow(
      'BACKEND_URL must be',
    )
    expect(functionKeys.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(['INTERNAL_API_KEY'])
  })
})
