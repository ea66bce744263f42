import { type ApiKey, apiKeyPrefix, type KeyPage, limits, type NewKey } from '@atrium/contract'
import { hashOfKey, isKeyWithHash, keyIdOf, newApiKey } from '../../kernel/api-key.ts'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { listCursor } from '../../kernel/list-cursor.ts'
import type { Bus } from '../../ports/bus.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import { createKeyCache } from './key-cache.ts'
import { createKeyUses } from './key-uses.ts'
import type { KeyOwner, KeyRecord, KeyStore } from './keys.store.ts'

export interface KeyDeps {
  store: KeyStore
  bus: Bus
  clock: Clock
  onBackgroundError(error: unknown): void
  /** Whose keys are refused; undefined if everybody’s are accepted. */
  refusedIssuer?: string | undefined
}

interface KeyQuery {
  limit: number
  /** The `next` of the previous page. */
  before: string | null
}

export interface Keys {
  /** Whether a bearer token is meant to be a key. */
  claims(token: string): boolean
  verify(token: string): Promise<Identity>
  /** For work that goes on after the request was admitted. Throws once the key is revoked or has expired. */
  confirm(keyId: string): Promise<void>
  create(body: NewKey, identity: Identity): Promise<{ keyId: string; key: string }>
  list(identity: Identity, query: KeyQuery): Promise<KeyPage>
  revoke(keyId: string, identity: Identity): Promise<void>
  stop(): Promise<void>
}

/** R49: credentials of researchers' scripts. K-numbers are in SPEC.md. */
export function createKeys({ store, bus, clock, onBackgroundError, refusedIssuer }: KeyDeps): Keys {
  const cache = createKeyCache(store, bus)
  const uses = createKeyUses(store, onBackgroundError)

  function assertValid(key: KeyRecord | undefined): KeyRecord {
    if (!key || (key.expiresAt !== null && key.expiresAt <= clock.now())) throw refused()
    if (key.issuer === refusedIssuer) throw refused()
    return key
  }

  return {
    claims: (token) => token.startsWith(apiKeyPrefix),

    async verify(token) {
      const keyId = keyIdOf(token)
      if (keyId === undefined) throw refused()
      const key = assertValid(await cache.find(keyId))
      if (!isKeyWithHash(token, key.hash)) throw refused()
      uses.note(key, clock.now())
      return identityWith(key)
    },

    confirm: async (keyId) => void assertValid(await cache.findStored(keyId)),

    async create(body, identity) {
      const now = clock.now()
      const expiresAt = expiryIn(body, now)
      const { keyId, key } = newApiKey()
      const record: KeyRecord = {
        keyId,
        hash: hashOfKey(key),
        issuer: identity.issuer,
        subject: identity.subject,
        verifiedEmail: identity.verifiedEmail ?? null,
        name: body.name,
        access: body.access,
        experiments: body.experiments ?? null,
        createdAt: now,
        lastUsedAt: null,
        expiresAt,
      }
      if ((await store.create(record, limits.keysPerResearcher)) === 'too_many')
        throw new AppError('KEY_LIMIT')
      return { keyId, key }
    },

    async list(identity, { limit, before }) {
      // One more than requested shows whether there is another page.
      const place = before === null ? null : places.read(before)
      const found = await store.list({ owner: ownerSeenBy(identity), before: place, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      return {
        keys: shown.map((key) => viewOf(key, identity)),
        next: last && found.length > limit ? places.write(last) : null,
      }
    },

    async revoke(keyId, identity) {
      const revocation = { keyId, owner: ownerSeenBy(identity), actor: actorOf(identity), now: clock.now() }
      if (!(await store.revoke(revocation))) throw new AppError('KEY_NOT_FOUND')
      await cache.revoked(keyId)
    },

    stop: uses.stop,
  }
}

/** The same whether the key never existed, is wrong, has expired or was revoked, and for an issuer that is not trusted. */
const refused = (): AppError =>
  new AppError('UNAUTHENTICATED', {}, 'This API key is not valid. It may have expired or been revoked.')

/** K2, K3: a researcher, never an administrator, whatever its owner is. */
const identityWith = ({
  issuer,
  subject,
  verifiedEmail,
  keyId,
  access,
  experiments,
}: KeyRecord): Identity => ({
  issuer,
  subject,
  verifiedEmail: verifiedEmail ?? undefined,
  isAdmin: false,
  isResearcher: true,
  key: { keyId, access, experiments },
})

function expiryIn({ expiresAt }: NewKey, now: number): number | null {
  if (expiresAt === undefined) return null
  const at = Date.parse(expiresAt)
  // A date may be well formed and yet not exist.
  if (Number.isNaN(at) || at <= now)
    throw validationFailed([{ path: '/expiresAt', message: 'must be a time in the future' }])
  return at
}

/** K7: administrators see and revoke everybody's, because those who leave do not. */
const ownerSeenBy = ({ isAdmin, issuer, subject }: Identity): KeyOwner =>
  isAdmin ? null : { issuer, subject }

const places = listCursor('createdAt', 'keyId')

function viewOf(key: KeyRecord, viewer: Identity): ApiKey {
  const { keyId, name, access, experiments, subject } = key
  const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return {
    keyId,
    name,
    access,
    experiments: experiments && [...experiments],
    createdAt: new Date(key.createdAt).toISOString(),
    lastUsedAt: timeOf(key.lastUsedAt),
    expiresAt: timeOf(key.expiresAt),
    owner: subject,
    isOwn: actorOf(key) === actorOf(viewer),
  }
}
