import { credentialRoutes, type ExperimentDefinition, experimentRoutes } from '@atrium/contract'
import { type Api, type CallOptions, smallestDefinition, succeeded } from '@atrium/testkit'

export const aCredential = (more: Record<string, unknown> = {}) => ({
  name: 'The lab’s model',
  provider: 'Custom',
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKey: 'atr_0123456789abcdef',
  model: 'stub-model',
  ...more,
})

export const studyWith = (...credentialIds: string[]): ExperimentDefinition =>
  smallestDefinition({
    consent: { text: 'A model reads what you write.', sendsTextToModels: true },
    agents: credentialIds.map((credentialId, at) => ({
      id: `agent-${at}`,
      name: 'Robin',
      credentialId,
      seats: 1,
      instructions: 'Be kind.',
    })),
  })

/** What one researcher does with credentials and experiments that use them. */
export function credentialKeeper(api: Api, token: string) {
  const on = (credentialId: string, more: CallOptions = {}) => ({ token, params: { credentialId }, ...more })
  return {
    token,
    create: (body: unknown = aCredential()) => api.call(credentialRoutes.create, { token, body }),
    made: async (more: Record<string, unknown> = {}) =>
      succeeded(await api.call(credentialRoutes.create, { token, body: aCredential(more) })),
    list: async (query: Record<string, string> = {}) =>
      succeeded(await api.call(credentialRoutes.list, { token, query })),
    read: (credentialId: string) => api.call(credentialRoutes.read, on(credentialId)),
    change: (credentialId: string, body: unknown) =>
      api.call(credentialRoutes.change, on(credentialId, { body })),
    remove: (credentialId: string) => api.call(credentialRoutes.remove, on(credentialId)),
    test: (credentialId: string) => api.call(credentialRoutes.test, on(credentialId)),
    save: (body: ExperimentDefinition) => api.call(experimentRoutes.create, { token, body }),
    revise: (experimentId: string, body: ExperimentDefinition) =>
      api.call(experimentRoutes.revise, { token, params: { experimentId }, body }),
    become: (experimentId: string, status: string) =>
      api.call(experimentRoutes.changeStatus, { token, params: { experimentId }, body: { status } }),
  }
}
