import { type ExperimentDefinition, experimentRoutes, participantRoutes } from '@atrium/contract'
import {
  type CallOptions,
  createApi,
  createPerson,
  createResearcher,
  smallestDefinition,
  succeeded,
  type World,
} from '@atrium/testkit'

export interface Session {
  sessionId: string
  sessionToken?: string
}

/** The people of a story and what they do. Each call goes to the next server, as behind a load balancer. */
export function castOf(world: () => World) {
  const api = createApi(() => world().any().http)
  let researcher: ReturnType<typeof createResearcher> | undefined

  const cast = {
    api,
    /** One per server, for checks on every instance. */
    eachApi: () => world().servers.map((server) => createApi(server.http)),
    researcher: () => {
      researcher ??= createResearcher(api)
      return researcher
    },
    person: () => createPerson(api),
    /** A recruiting experiment. */
    async open(more: Partial<ExperimentDefinition> = {}): Promise<string> {
      return (await cast.researcher()).openExperiment(smallestDefinition(more))
    },
    /** A new participant. */
    async participant(experimentId: string, metadata?: Record<string, unknown>) {
      const person = await createPerson(api)
      return { ...person, session: await person.join(experimentId, metadata ? { metadata } : {}) }
    },
    join: (token: string, body: object) => api.call(participantRoutes.joinV4, { token, body }),
    discover: (session: Session, more: CallOptions = {}) =>
      api.call(participantRoutes.discoverV4, { session, ...more }),
    send: (session: Session, events: unknown[], more: CallOptions = {}) =>
      api.call(participantRoutes.eventsV4, { session, body: { events }, ...more }),
    complete: (session: Session, body: object = {}) =>
      api.call(participantRoutes.completeV4, { session, body: { completionCode: 'SUCCESS', ...body } }),
    async history(token: string) {
      return succeeded(await api.call(participantRoutes.historyV4, { token })).data.sessions
    },
    async monitor(experimentId: string) {
      const { token } = await cast.researcher()
      return succeeded(await api.call(experimentRoutes.monitor, { token, params: { experimentId } }))
    },
    async exported(experimentId: string) {
      return (await cast.researcher()).exported(experimentId)
    },
    async revise(experimentId: string, definition: ExperimentDefinition) {
      const { token } = await cast.researcher()
      const options = { token, params: { experimentId }, body: definition }
      return succeeded(await api.call(experimentRoutes.revise, options))
    },
  }
  return cast
}

/** 1, 2, … n */
export const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1)
