import { describe, expect, test } from 'vitest'
import { accessOf, examplesOwner, judge, type Ownership, principalOf, principalsOf } from './access.ts'

const ada = { issuer: 'urn:one', subject: 'ada', isAdmin: false }
const owned = (more: Partial<Ownership> = {}): Ownership => ({
  experimentId: 'exp_1',
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

  test('[X12] callers who may not see it learn nothing; callers who may see it learn which access they lack', () => {
    expect(judge('view', ada, undefined)).toEqual({ kind: 'hidden' })
    expect(judge('owner', ada, owned())).toEqual({ kind: 'hidden' })
    expect(judge('edit', ada, owned({ shared: ['view'] }))).toEqual({ kind: 'forbidden', access: 'view' })
    expect(judge('owner', ada, owned({ shared: ['edit'] }))).toEqual({ kind: 'forbidden', access: 'edit' })
    expect(judge('edit', ada, owned({ shared: ['edit'] }))).toEqual({ kind: 'allowed', access: 'edit' })
  })
})

describe('[R49] a key’s access to an experiment', () => {
  const people = [ada, { ...ada, isAdmin: true }, { ...ada, issuer: 'urn:two' }]
  const ownerships = ['urn:one ada', 'urn:one bob', 'urn:two ada', examplesOwner, null].flatMap((owner) =>
    [[], ['view'], ['edit'], ['view', 'edit']].map((shared) =>
      owned({ owner, shared: shared as Ownership['shared'] }),
    ),
  )
  const levels = [undefined, 'view', 'edit', 'owner', 'admin']
  const keyOf = (access: 'read' | 'write', experiments: string[] | null = null) => ({
    keyId: 'key_1',
    access,
    experiments,
  })

  test('[K2] it is that of the owner, but never more than the key is for', () => {
    for (const person of people)
      for (const ownership of ownerships) {
        const own = levels.indexOf(accessOf(person, ownership))
        const read = levels.indexOf(accessOf({ ...person, key: keyOf('read') }, ownership))
        const write = levels.indexOf(accessOf({ ...person, key: keyOf('write') }, ownership))
        expect(read).toBe(Math.min(own, 1))
        expect(write).toBe(Math.min(own, 2))
      }
  })

  test('[K8] outside the experiments that it is limited to there is none', () => {
    for (const ownership of ownerships) {
      const unlimited = accessOf({ ...ada, key: keyOf('write') }, ownership)
      expect(accessOf({ ...ada, key: keyOf('write', ['exp_2', 'exp_1']) }, ownership)).toBe(unlimited)
      for (const others of [[], ['exp_2'], ['exp_10', 'xexp_1']])
        expect(accessOf({ ...ada, key: keyOf('write', others) }, ownership)).toBeUndefined()
    }
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
