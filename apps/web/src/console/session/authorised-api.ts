import type { RouteSpec } from '@atrium/contract'
import { CallFailed, type CallOptions, call, callRaw } from '../../api/call.ts'
import type { Identity } from '../../identity/identity.ts'

/** Calls the platform as the person who is signed in. */
export interface Api {
  call<Spec extends RouteSpec>(route: Spec, options: CallOptions<Spec>): ReturnType<typeof call<Spec>>
  callRaw<Spec extends RouteSpec>(route: Spec, options: CallOptions<Spec>): Promise<Response>
  /** For requests that `fetch` cannot make: sockets, and uploads that report their progress. */
  idToken: Identity['idToken']
}

/**
 * A refused token (401) is renewed once: it may have expired, or the issuer has new keys since a restart.
 * `onForbidden` is called if the person is known but must not use the console. A refusal of what only administrators may
 * do does not say that.
 */
export function createApi(identity: Identity, onForbidden: () => void): Api {
  const authorised = async <Answer>(
    { auth }: RouteSpec,
    attempt: (idToken: string) => Promise<Answer>,
  ): Promise<Answer> => {
    try {
      return await attempt(await identity.idToken()).catch(async (error: unknown) => {
        if (!isRefused(error, 401)) throw error
        return await attempt(await identity.idToken({ isRefresh: true }))
      })
    } catch (error) {
      if (isRefused(error, 403) && auth !== 'admin' && !isAboutOneExperiment(error)) onForbidden()
      throw error
    }
  }
  return {
    call: (route, options) => authorised(route, (idToken) => call(route, { ...options, idToken })),
    callRaw: (route, options) => authorised(route, (idToken) => callRaw(route, { ...options, idToken })),
    idToken: (options) => identity.idToken(options),
  }
}

/** R37: a researcher with view access to an experiment is still a researcher. */
const isAboutOneExperiment = (error: unknown): boolean =>
  error instanceof CallFailed && error.details.access !== undefined

const isRefused = (error: unknown, status: number): boolean =>
  error instanceof CallFailed && error.status === status
