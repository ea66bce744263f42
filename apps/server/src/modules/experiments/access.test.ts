import { describe, expect, test } from 'vitest'
import { accessOf, examplesOwner, judge, type Ownership, principalOf, principalsOf } from './access.ts'

const ada = { issuer: 'urn:one', subject: 'ada', isAdmin: false }
const owned = (more: Partial<Ownership> = {}): Ownership => ({
  owner: 'urn:one bob',
  shared: [],
  ...more,
})

describe('[R37] access to an experiment', () => {
  test.each<[string, Parameters<typeof accessOf>[0], Ownership, ReturnType<typeof accessOf>]>([
    ['the creator', ada, owned({ owner: 'urn:one ada' }), 'owner'],
    [
      '[R5] the same subject of another issuer',
      { ...ada, issuer: 'urn:two' },
      owned({ owner: 'urn:one ada' }),
      undefined,
    ],
    ['a stranger', ada, owned(), undefined],
    ['a stranger to an experiment without a known owner', ada, owned({ owner: null }), undefined],
    ['an admin', { ...ada, isAdmin: true }, owned(), 'admin'],
    ['an admin who owns it', { ...ada, isAdmin: true }, owned({ owner: 'urn:one ada' }), 'owner'],
    ['a viewer', ada, owned({ shared: ['view'] }), 'view'],
    ['an editor', ada, owned({ shared: ['edit'] }), 'edit'],
    ['a person named twice', ada, owned({ shared: ['view', 'edit'] }), 'edit'],
    ['anyone, for an example', ada, owned({ owner: examplesOwner }), 'view'],
    ['an admin, for an example', { ...ada, isAdmin: true }, owned({ owner: examplesOwner }), 'admin'],
  ])('%s', (_name, person, ownership, access) => {
    expect(accessOf(person, ownership)).toBe(access)
  })

  test('callers who may not see it learn nothing; callers who may see it learn which access they lack', () => {
    expect(judge('view', ada, undefined)).toEqual({ kind: 'hidden' })
    expect(judge('owner', ada, owned())).toEqual({ kind: 'hidden' })
    expect(judge('edit', ada, owned({ shared: ['view'] }))).toEqual({ kind: 'forbidden', access: 'view' })
    expect(judge('owner', ada, owned({ shared: ['edit'] }))).toEqual({ kind: 'forbidden', access: 'edit' })
    expect(judge('edit', ada, owned({ shared: ['edit'] }))).toEqual({ kind: 'allowed', access: 'edit' })
  })
})

describe('[R37] the principal of a share', () => {
  const means = (user: string, person: { subject?: string; verifiedEmail?: string; issuer?: string }) =>
    principalsOf({
      issuer: 'urn:one',
      subject: 'x',
      verifiedEmail: undefined,
      isAdmin: false,
      isResearcher: true,
      ...person,
    }).includes(principalOf(user, 'urn:one'))

  test.each<[string, string, Parameters<typeof means>[1], boolean]>([
    ['a subject', 'ada', { subject: 'ada' }, true],
    ['a subject in different case', 'Ada', { subject: 'ada' }, false],
    ['a subject of another issuer', 'ada', { subject: 'ada', issuer: 'urn:two' }, false],
    ['an e-mail address', 'ada@x.org', { verifiedEmail: 'ada@x.org' }, true],
    ['an e-mail address in different case', 'ADA@X.org', { verifiedEmail: 'ada@x.org' }, true],
    [
      'an e-mail address at another issuer',
      'ada@x.org',
      { verifiedEmail: 'ada@x.org', issuer: 'urn:two' },
      true,
    ],
    ['an e-mail address that is a person’s subject', 'ada@x.org', { subject: 'ada@x.org' }, false],
    ['a letter that only looks the same', 'mike@x.org', { verifiedEmail: 'mi\u212ae@x.org' }, false],
    ['a subject that imitates an address', 'email ada@x.org', { subject: 'email ada@x.org' }, false],
  ])('%s', (_name, user, person, isMeant) => {
    expect(means(user, person)).toBe(isMeant)
  })
})
