import {
  type Credential,
  type CredentialPage,
  credentialUsesIn,
  type ExperimentDefinition,
  limits,
} from '@atrium/contract'
import { AppError, validationFailed } from '../../../kernel/app-error.ts'
import { newCredentialId } from '../../../kernel/ids.ts'
import { sightOf } from '../../experiments/index.ts'
import { actorOf, type Identity, signedBy } from '../../identity/index.ts'
import type { CredentialRecord } from '../credential.plan.ts'
import type { CredentialSight, SeenCredential } from '../credentials.store.ts'
import { type CredentialQuery, listCredentials } from './credential-list.ts'
import { type CredentialTestDeps, createCredentialTests, type RunningTest } from './credential-tests.ts'
import { keyHintOf, viewOf } from './credential-view.ts'
import type { KeyBox } from './key-box.ts'
import type { CredentialSettings } from './parse-credential.ts'
import { resealKeys } from './reseal-keys.ts'

/** Nobody reads more than this at a time. */
const maxIssues = 20

export interface CredentialDeps extends CredentialTestDeps {
  box: KeyBox
  /** R35: http is refused. */
  httpsOnly: boolean
  warn(facts: Record<string, unknown>, message: string): void
}

/** What an agent needs to ask its model. */
export interface OpenedCredential extends CredentialSettings {
  apiKey: string
  owner: string
}

export interface Credentials {
  read(credentialId: string, identity: Identity): Promise<Credential>
  create(settings: CredentialSettings & { apiKey: string }, identity: Identity): Promise<Credential>
  list(identity: Identity, query: CredentialQuery): Promise<CredentialPage>
  change(
    credentialId: string,
    settings: CredentialSettings & { apiKey: string | undefined },
    identity: Identity,
  ): Promise<Credential>
  remove(credentialId: string, identity: Identity): Promise<void>
  /** For those who may see it. */
  test(credentialId: string, identity: Identity): Promise<RunningTest>
  /** For the platform itself. Undefined if it has been deleted; refuses if its key cannot be decrypted. */
  open(credentialId: string): Promise<OpenedCredential | undefined>
  /**
   * Throws unless every credential that a definition names is the author's or the owner's, or is in the newest revision
   * already: whoever could put it there agreed to its use, and the others can still save.
   */
  refuseHidden(definition: ExperimentDefinition, author: Identity, experimentId: string | null): Promise<void>
  /** At the start: keys that are sealed with an older key are sealed with the current one. */
  reseal(): Promise<void>
  stop(): void
}

/** R42: how researchers say where their agents' models run. A credential belongs to whoever made it (R37). */
// Long because it is a list: what may be done with a credential, a few lines each.
export function createCredentials(deps: CredentialDeps): Credentials {
  const { store, box, clock, httpsOnly } = deps
  const tests = createCredentialTests(deps)

  async function see(credentialId: string, identity: Identity): Promise<SeenCredential> {
    const seen = await store.seen(credentialId, credentialSightOf(identity))
    if (!seen) throw new AppError('CREDENTIAL_NOT_FOUND')
    return seen
  }

  const read = async (credentialId: string, identity: Identity): Promise<Credential> =>
    viewOf(await see(credentialId, identity), actorOf(identity), box)

  /** Every other address is judged when it is connected to: what a name leads to may change. */
  function refuseOpenAddress({ baseUrl }: CredentialSettings): void {
    if (httpsOnly && !baseUrl.startsWith('https://'))
      throw validationFailed([{ path: '/baseUrl', message: 'must begin with https:// on this installation' }])
  }

  const sealed = (apiKey: string, credentialId: string) => ({
    sealedKey: box.seal(apiKey, credentialId),
    keyHint: keyHintOf(apiKey),
  })

  function openKey({ credentialId, sealedKey }: CredentialRecord): string {
    const opened = box.open(sealedKey, credentialId)
    if (opened.kind !== 'opened') throw new AppError('CREDENTIAL_UNREADABLE', { credentialId })
    return opened.text
  }

  return {
    read,

    async create({ apiKey, ...settings }, identity) {
      refuseOpenAddress(settings)
      const [credentialId, now] = [newCredentialId(), clock.now()]
      const times = { createdAt: now, changedAt: now, lastTest: null }
      const credential = {
        credentialId,
        owner: actorOf(identity),
        ...settings,
        ...sealed(apiKey, credentialId),
        ...times,
      }
      if (
        (await store.create(credential, limits.credentialsPerResearcher, signedBy(identity))) === 'too_many'
      )
        throw new AppError('CREDENTIAL_LIMIT')
      return viewOf({ credential, usedBy: [] }, actorOf(identity), box)
    },

    list: (identity, query) => listCredentials(deps, credentialSightOf(identity), actorOf(identity), query),

    async change(credentialId, { apiKey, ...settings }, identity) {
      await see(credentialId, identity)
      refuseOpenAddress(settings)
      const key = apiKey === undefined ? null : sealed(apiKey, credentialId)
      const change = { ...settings, key, actor: signedBy(identity), now: clock.now() }
      const outcome = await store.change(credentialId, change)
      if (outcome === 'not_found') throw new AppError('CREDENTIAL_NOT_FOUND')
      if (outcome === 'key_needed') throw validationFailed([keyNeeded])
      return await read(credentialId, identity)
    },

    async remove(credentialId, identity) {
      await see(credentialId, identity)
      const now = clock.now()
      const outcome = await store.remove({ credentialId, actor: signedBy(identity), now })
      if (outcome === 'not_found') throw new AppError('CREDENTIAL_NOT_FOUND')
      if (outcome === 'removed') return
      const all = await store.runningWith(credentialId, null, now)
      const experiments = await store.runningWith(credentialId, sightOf(identity), now)
      throw new AppError('CREDENTIAL_IN_USE', { experiments, others: all.length - experiments.length })
    },

    async test(credentialId, identity) {
      const { credential } = await see(credentialId, identity)
      return await tests.begin(credential, openKey(credential), signedBy(identity))
    },

    async open(credentialId) {
      const credential = await store.find(credentialId)
      if (!credential) return undefined
      const { owner, name, baseUrl, model, timeoutMs } = credential
      return { owner, name, baseUrl, model, timeoutMs, apiKey: openKey(credential) }
    },

    async refuseHidden(definition, author, experimentId) {
      const uses = credentialUsesIn(definition)
      if (uses.length === 0) return
      const credentialIds = [...new Set(uses.map((use) => use.credentialId))]
      const actor = author.isAdmin ? null : actorOf(author)
      const hidden = new Set(await store.hiddenAmong({ credentialIds, actor, experimentId }))
      const issues = uses.flatMap(({ path, credentialId }) =>
        hidden.has(credentialId)
          ? [{ path, message: `there is no credential ‘${credentialId}’ that you may use` }]
          : [],
      )
      if (issues.length > 0) throw validationFailed(issues.slice(0, maxIssues))
    },

    reseal: () => resealKeys(deps),
    stop: tests.stop,
  }
}

const credentialSightOf = (identity: Identity): CredentialSight => ({
  owner: identity.isAdmin ? null : actorOf(identity),
  experiments: sightOf(identity),
})

const keyNeeded = {
  path: '/apiKey',
  message: 'is required when baseUrl changes to another server, because the key is sent there',
}
