import {
  type AccessSubject,
  accessSubjectOf,
  type ExperimentAccess,
  type ExperimentHead,
  type NeededAccess,
  type RouteSpec,
  type Share,
  subjectCodes,
} from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Bus } from '../../ports/bus.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { AccessStore } from './access.store.ts'
import { accessOf, examplesOwner, judge, principalOf, principalsOf, sightOf } from './access.ts'
import { headOf } from './experiments.ts'

export interface ExperimentAccesses {
  /** Runs before every route that names an experiment, a room or a session, and again while an export goes on. */
  admit(
    spec: RouteSpec,
    params: Record<string, string>,
    identity: Identity | undefined,
  ): Promise<ExperimentAccess>
  list(identity: Identity): Promise<ExperimentHead[]>
  /** Those among the ids that the person may not see, or that do not exist. */
  hiddenAmong(experimentIds: readonly string[], identity: Identity): Promise<Set<string>>
  shares(experimentId: string): Promise<Share[]>
  share(experimentId: string, shares: Share[], identity: Identity): Promise<Share[]>
}

interface ExperimentAccessDeps {
  store: AccessStore
  bus: Bus
  clock: Clock
  /** R49: throws once an API key is revoked or has expired. */
  confirmKey(keyId: string): Promise<void>
}

/** R37: checks access to experiments, and shares them. */
export function createExperimentAccesses({
  store,
  bus,
  clock,
  confirmKey,
}: ExperimentAccessDeps): ExperimentAccesses {
  return {
    async admit(spec, params, identity) {
      const kind = accessSubjectOf(spec)
      if (!kind || !spec.access || !identity) throw new AppError('FORBIDDEN')
      if (identity.key) await confirmKey(identity.key.keyId)
      const id = params[kind] ?? ''
      const ownership = await store.find({ kind, id }, principalsOf(identity))
      const verdict = judge(spec.access, identity, ownership)
      switch (verdict.kind) {
        case 'allowed':
          return verdict.access
        case 'forbidden':
          throw forbidden(verdict.access, spec.access, ownership?.owner === examplesOwner)
        case 'hidden':
          throw unknown(kind, id)
      }
    },

    async list(identity) {
      const { owners, principals } = sightOf(identity)
      const visible = await store.visible(owners, principals)
      return visible.flatMap(({ record, ownership }) => {
        const access = accessOf(identity, ownership)
        return access ? [{ ...headOf(record), access }] : []
      })
    },

    async hiddenAmong(experimentIds, identity) {
      const principals = principalsOf(identity)
      const hidden = new Set<string>()
      for (const id of new Set(experimentIds)) {
        const ownership = await store.find({ kind: 'experimentId', id }, principals)
        if (judge('view', identity, ownership).kind === 'hidden') hidden.add(id)
      }
      return hidden
    },

    shares: (experimentId) => store.shares(experimentId),

    async share(experimentId, shares, identity) {
      const named = shares.map((share) => ({ ...share, principal: principalOf(share.user, identity.issuer) }))
      refuseRepeated(named.map(({ principal }) => principal))
      await store.replaceShares({ experimentId, shares: named, actor: actorOf(identity), now: clock.now() })
      // Whoever is not reached by this is found by those who ask again every few seconds.
      await bus.publish('shares_changed', { experimentId }).catch(() => undefined)
      return shares
    },
  }
}

function refuseRepeated(principals: string[]): void {
  const repeated = principals.flatMap((principal, at) => (principals.indexOf(principal) < at ? [at] : []))
  if (repeated.length > 0)
    throw validationFailed(
      repeated.map((at) => ({ path: `/shares/${at}/user`, message: 'is listed more than once' })),
    )
}

function forbidden(access: ExperimentAccess, needed: NeededAccess, isExample: boolean): AppError {
  const sentence = isExample
    ? 'This is an example. Make a copy to change it. Only administrators can change the example itself.'
    : needed === 'owner'
      ? 'Only the owner of the experiment and administrators can do this.'
      : 'You can view this experiment but not change it. Ask its owner for edit access.'
  return new AppError('FORBIDDEN', { access, needed }, sentence)
}

/** Byte for byte the same whether it does not exist or the caller may not see it. */
const unknown = (kind: AccessSubject, id: string): AppError =>
  kind === 'sessionId'
    ? new AppError(subjectCodes[kind], {}, 'There is no such session.')
    : new AppError(subjectCodes[kind], { [kind]: id })
