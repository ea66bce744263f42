import { expect, test } from 'vitest'
import { reachedAt } from './uploads.routes.ts'

test.each(['bad host', 'bad%zzhost', 'a'.repeat(5_000), 'host:port'])(
  '[V14] with an identity provider, too, a host that cannot be part of an address is refused (%.12s)',
  (host) => {
    const details = { issues: [expect.objectContaining({ path: 'Host' })] }
    expect(() => reachedAt({ protocol: 'https', host })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', details }),
    )
  },
)

test('[V14] parts go to the host by which the client reached us', () => {
  expect(reachedAt({ protocol: 'https', host: 'Study.example.org:443' })).toBe('https://study.example.org')
  expect(reachedAt({ protocol: 'http', host: '[::1]:3000' })).toBe('http://[::1]:3000')
})
