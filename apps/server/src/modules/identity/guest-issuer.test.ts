import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createDevelopmentIssuer } from './development-issuer.ts'
import { createGuestIssuer } from './guest-issuer.ts'
import type { SharedSecretStore } from './identity.store.ts'
import { createIdentityCheck } from './identity.ts'

function createSecrets(): SharedSecretStore {
  const kept = new Map<string, string>()
  return {
    async keepFirst(name, candidate) {
      if (!kept.has(name)) kept.set(name, candidate)
      return kept.get(name) ?? ''
    },
    find: async (name) => kept.get(name),
  }
}

async function start(secrets = createSecrets()) {
  let now = Date.UTC(2030, 0, 1)
  const clock = { now: () => now }
  const guests = await createGuestIssuer(secrets, clock)
  const development = await createDevelopmentIssuer(secrets, clock)
  const checkWith = (adminUsers: string[] = []) => {
    const check = createIdentityCheck(development.verify, [guests], adminUsers)
    return (token: string) => check.authenticate(`Bearer ${token}`)
  }
  return { guests, development, checkWith, pass: (ms: number) => (now += ms) }
}

const unauthenticated = { code: 'UNAUTHENTICATED' }

test('[R51,G8] a token expires after ten minutes', async () => {
  const { guests, checkWith, pass } = await start()
  const identity = guests.identityOf(guests.people.newcomer('exp_1'), 'exp_1', 'p-1')
  const token = await guests.issueToken(identity)
  pass(9 * 60_000)
  expect(await checkWith()(token)).toEqual(identity)
  pass(2 * 60_000)
  await expect(checkWith()(token)).rejects.toMatchObject(unauthenticated)
})

test('[G3] instances that share a store are one issuer; another store is another', async () => {
  const secrets = createSecrets()
  const [one, two, stranger] = [await start(secrets), await start(secrets), await start()]
  const person = one.guests.people.withExternalId('exp_1', 'p-1')
  expect(two.guests.people.withExternalId('exp_1', 'p-1').subject).toBe(person.subject)
  expect(two.guests.people.withSecret('exp_1', person.secret)).toEqual(person)
  expect(stranger.guests.people.withExternalId('exp_1', 'p-1').subject).not.toBe(person.subject)
  expect(stranger.guests.people.withSecret('exp_1', person.secret)).toBeUndefined()
  const token = await one.guests.issueToken(one.guests.identityOf(person, 'exp_1'))
  expect((await two.checkWith()(token)).subject).toBe(person.subject)
  await expect(stranger.checkWith()(token)).rejects.toMatchObject(unauthenticated)
})

test('[G12] an external id makes the person; only their own secret makes the device', async () => {
  const { guests } = await start()
  const { withExternalId, newcomer } = guests.people
  const first = withExternalId('exp_1', 'p-1')
  expect(withExternalId('exp_1', 'p-1', first.secret)).toEqual(first)
  const others = [undefined, newcomer('exp_1').secret, withExternalId('exp_1', 'p-2').secret, 'gst_x']
  for (const secret of others) {
    const fresh = withExternalId('exp_1', 'p-1', secret)
    expect(fresh.subject).toBe(first.subject)
    expect([fresh.device, fresh.secret]).not.toContain(first.device)
    expect(fresh.secret).not.toBe(first.secret)
  }
})

test('[R51] a guest is never an administrator, whoever is listed and whatever the token says', async () => {
  const { guests, development, checkWith } = await start()
  const person = guests.people.withExternalId('exp_1', 'p-1')
  const listed = checkWith([person.subject, 'p-1'])
  const token = await guests.issueToken(guests.identityOf(person, 'exp_1', 'p-1'))
  expect(await listed(token)).toMatchObject({ isAdmin: false, isResearcher: false })
  // At another issuer, the same subject is a different person.
  const namesake = await listed(await development.issueToken({ sub: person.subject }))
  expect(namesake).toMatchObject({ isAdmin: true })
  expect(namesake.issuer).not.toBe((await listed(token)).issuer)
  expect(namesake.guest).toBeUndefined()
})

test('[G4] other issuers’ keys cannot make guests, and the guests’ key cannot make anybody else', async () => {
  const secrets = createSecrets()
  const { guests, checkWith } = await start(secrets)
  const genuine = await guests.issueToken(guests.identityOf(guests.people.newcomer('exp_1'), 'exp_1'))
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const forged = (claims: object, kid: string) =>
    new SignJWT({ ...decodeJwt(genuine), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(privateKey)
  const attempts = [
    await forged({}, 'guests'),
    await forged({ iss: 'urn:atrium:development-issuer', aud: 'atrium-development' }, 'development'),
    genuine.replace(
      /\.[^.]*\./,
      `.${Buffer.from(JSON.stringify({ ...decodeJwt(genuine), roles: ['admin'] })).toString('base64url')}.`,
    ),
  ]
  for (const token of attempts) await expect(checkWith()(token)).rejects.toMatchObject(unauthenticated)
  const names = ['guest_issuer_key', 'development_issuer_ec_key', 'guest_person_key']
  const kept = await Promise.all(names.map((name) => secrets.keepFirst(name, 'nothing')))
  expect(new Set(kept).size).toBe(3)
  expect(kept).not.toContain('nothing')
})
