import { identityAddresses, participantAddresses } from './addresses.ts'
import type { developmentIdentityRoutes, identityRoutes } from './identity.ts'
import type { participantRoutes } from './participant-routes.ts'
import type { RouteSpec } from './route.ts'

/** What a caller needs of a route: where it is, and, for the compiler only, the route itself. */
export type CalledRoute<Spec extends RouteSpec = RouteSpec> = Pick<Spec, 'method' | 'path' | 'envelope'> & {
  readonly types?: Spec
}

/** The route that a call is about, whole or not. */
export type RouteOf<Called extends CalledRoute | RouteSpec> = Called extends RouteSpec
  ? Called
  : Called extends CalledRoute<infer Spec>
    ? Spec
    : never

type CallsOf<Routes extends Record<string, RouteSpec>> = {
  readonly [Name in keyof Routes]: CalledRoute<Routes[Name]>
}

export const participantCalls: CallsOf<typeof participantRoutes> = participantAddresses

export const identityCalls: CallsOf<
  typeof identityRoutes & { developmentToken: (typeof developmentIdentityRoutes)['token'] }
> = identityAddresses
