import { describe, expect, test } from 'vitest'
import { fillRedirect, redirectIssue } from './redirect.ts'

const facts = { code: 'C 1', participantId: 'p1', metadata: { pid: 'a/b', n: 3, o: { x: 1 } } }

describe('[R20] a redirect template', () => {
  test.each([
    ['https://example.org/back?cc={{code}}', 'https://example.org/back?cc=C%201'],
    ['https://example.org/{{ participantId }}/x#{{code}}', 'https://example.org/p1/x#C%201'],
    ['http://localhost:3000/?a={{metadata.pid}}&b={{metadata.n}}', 'http://localhost:3000/?a=a%2Fb&b=3'],
    ['https://example.org?x={{metadata.none}}', 'https://example.org?x='],
    ['https://example.org/?o={{metadata.o}}', 'https://example.org/?o=%7B%22x%22%3A1%7D'],
    ['https://example.org/{a}/{{', 'https://example.org/{a}/{{'],
    ['https://example.org/{{{code}}}', 'https://example.org/{C%201}'],
  ])('%s is filled in', (template, address) => {
    expect(redirectIssue(template)).toBeUndefined()
    expect(fillRedirect(template, facts)).toBe(address)
  })

  test.each([
    'https://{{metadata.host}}/',
    'https://{{metadata.host}}.example.org/',
    'https://example.org{{metadata.x}}/',
    'https://example.org:{{metadata.port}}/',
    'https://example.org@{{metadata.host}}/',
    'https://{{metadata.user}}@example.org/',
    'https:///{{metadata.host}}/',
    'https://\\\\{{metadata.host}}/',
    'https://\t{{metadata.host}}/',
  ])('[X9] %s would let others decide where people are sent, and is refused', (template) => {
    expect(redirectIssue(template)).toContain('not in the scheme or the host')
    expect(fillRedirect(template, facts)).toBe('')
  })

  test.each([
    ['{{metadata.url}}', 'must start with https:// or http://'],
    ['{{metadata.scheme}}://example.org', 'must start with https:// or http://'],
    ['javascript:alert(1)', 'must start with https:// or http://'],
    ['/back', 'must start with https:// or http://'],
    ['https://', 'is not valid'],
    ['https://example.org/{{}}', '{{}} is not a known placeholder'],
    ['https://example.org/{{metadata.}}', '{{metadata.}} is not a known placeholder'],
    ['https://example.org/{{email}}', '{{email}} is not a known placeholder'],
  ])('%s is refused', (template, sentence) => {
    expect(redirectIssue(template)).toContain(sentence)
    expect(fillRedirect(template, facts)).toBe('')
  })

  // A backtracking regular expression would take minutes for each of these.
  test.each([
    `{{${' '.repeat(200_000)}`,
    '{{ '.repeat(100_000),
    '{'.repeat(200_000),
    `${'{{ code'.repeat(50_000)}}}`,
  ])('is read in one pass (%#)', (hard) => {
    expect(redirectIssue(`https://example.org/${hard}`)).toBeUndefined()
  })
})
