import { developmentIdentityRoutes, identityRoutes, type SignInSettings } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { DevelopmentIssuer } from './development-issuer.ts'

export const addSignInRoute = (routes: Routes, settings: SignInSettings): void =>
  routes.add(identityRoutes.signIn, async () => settings)

/** Registered only if the development issuer runs (R6). */
export function addDevelopmentIdentityRoutes(routes: Routes, issuer: DevelopmentIssuer): void {
  routes.add(developmentIdentityRoutes.token, async ({ body }) => ({
    idToken: await issuer.issueToken(body),
  }))
  routes.add(developmentIdentityRoutes.jwks, async () => issuer.jwks)
}
