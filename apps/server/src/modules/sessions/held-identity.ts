import { opened, type SealingKeys, sealed } from '../../kernel/sealed.ts'
import { heldIn, marksOfPerson } from './held-identity.plan.ts'
import type { Completion, JoinOutcome, PersonKey, SessionRecord, SessionStore } from './sessions.store.ts'

/**
 * R94: the store as the rest of the platform sees it: sessions whose identity is held look like any other, and people
 * are found by their identity, held or not. What is in the database says neither.
 */
export function withHeldIdentities(store: SessionStore, keys: SealingKeys): SessionStore {
  const marked = (person: PersonKey): PersonKey => ({
    issuer: person.issuer,
    subject: person.subject,
    marks: marksOfPerson(keys, person),
  })
  const revealed = (session: SessionRecord): SessionRecord => {
    const { completion } = session
    const held = session.isHeld ? heldIn(keys, session.metadata) : undefined
    return {
      ...session,
      ...(session.isHeld && { metadata: held?.metadata ?? {}, userId: held?.person.subject ?? '' }),
      completion: completion && revealedCompletion(completion),
    }
  }
  const revealedCompletion = ({ sealedRedirect, ...completion }: Completion): Completion => ({
    ...completion,
    ...(sealedRedirect !== undefined && { redirectUrl: opened(keys, sealedRedirect) ?? '' }),
  })
  const revealedJoin = (outcome: JoinOutcome): JoinOutcome => {
    if (outcome.kind === 'joined') return { ...outcome, session: revealed(outcome.session) }
    return outcome.kind === 'closed' && outcome.completed
      ? { ...outcome, completed: revealed(outcome.completed) }
      : outcome
  }
  const own: Partial<SessionStore> = {
    join: async (request) =>
      revealedJoin(await store.join({ ...request, person: marked(request.person), sealing: keys })),
    find: async (sessionId) => {
      const session = await store.find(sessionId)
      return session && revealed(session)
    },
    findMany: async (sessionIds) => (await store.findMany(sessionIds)).map(revealed),
    findNewest: async (person, experimentId) => {
      const session = await store.findNewest(marked(person), experimentId)
      return session && revealed(session)
    },
    idsOf: (person, experimentId) => store.idsOf(marked(person), experimentId),
    history: (person, now) => store.history(marked(person), now),
    complete: async (request) => {
      const { completion } = request
      const sealedRedirect = sealed(keys, completion.redirectUrl)
      const sealable = { ...completion, sealedRedirect }
      const outcome = await store.complete({ ...request, completion: sealable, sealing: keys })
      return outcome.kind === 'completed'
        ? { ...outcome, completion: revealedCompletion(outcome.completion) }
        : outcome
    },
    settleIdentity: (settled) => store.settleIdentity({ ...settled, sealing: keys }),
  }
  return new Proxy(store, {
    get: (target, name) => Reflect.get(own, name) ?? Reflect.get(target, name),
  })
}
