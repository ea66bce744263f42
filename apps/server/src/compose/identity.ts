import type { SignInSettings } from '@atrium/contract'
import type { Config } from '../config/config.ts'
import { addDevelopmentIdentityRoutes, addSignInRoute } from '../modules/identity/identity.routes.ts'
import {
  createDevelopmentIssuer,
  createGuestIssuer,
  createIdentityCheck,
  createResearcherPseudonyms,
  type DevelopmentIssuer,
  developmentIssuer,
  remoteVerifier,
  type TokenVerifier,
} from '../modules/identity/index.ts'
import { createKeys } from '../modules/keys/index.ts'
import { addKeyRoutes, type KeyRouteDeps } from '../modules/keys/keys.routes.ts'
import { createResearcherNotes } from '../modules/operations/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

/** Who somebody is: people by the tokens of their issuer, guests, and scripts by their keys. */
export async function openIdentity(ports: Ports, peers: Pick<KeyRouteDeps, 'hiddenExperiments'>) {
  const { config, database, bus, clock, onBackgroundError } = ports
  const { issuer, verify } = await openIssuer(ports)
  const guests = await createGuestIssuer(database.secrets, clock)
  const keys = createKeys({
    ...{ store: database.keys, bus, clock, onBackgroundError },
    // Its tokens said whatever somebody wanted, verified addresses included, and a key remembers them.
    refusedIssuer: config.oidc && developmentIssuer,
  })
  const researchers = createResearcherNotes({ store: database.operations, clock, onBackgroundError })
  return {
    issuer,
    guests,
    keys,
    identities: researchers.watch(createIdentityCheck(verify, [keys, guests], config.adminUsers)),
    researcherPseudonym: await createResearcherPseudonyms(database.secrets),
    routes({ routes }: HttpEdge): void {
      addKeyRoutes(routes, { keys, hiddenExperiments: peers.hiddenExperiments })
      addSignInRoute(routes, signInSettings(config))
      if (issuer) addDevelopmentIdentityRoutes(routes, issuer)
    },
    async stop(): Promise<void> {
      await keys.stop()
      await researchers.stop()
    },
  }
}

/** Whose ID tokens are accepted: those of the configured provider, or of the development issuer. */
async function openIssuer({
  config: { oidc },
  database,
  clock,
  source,
}: Ports): Promise<{ issuer: DevelopmentIssuer | undefined; verify: TokenVerifier }> {
  // By the source itself: if our steady time differed from the provider's, everybody's tokens would be refused meanwhile.
  if (oidc) return { issuer: undefined, verify: remoteVerifier(oidc, oidc.jwksUri, source) }
  const issuer = await createDevelopmentIssuer(database.secrets, clock)
  return { issuer, verify: issuer.verify }
}

/** The web app's client id at the provider is the audience of its ID tokens. */
const signInSettings = ({ oidc }: Config): SignInSettings =>
  oidc ? { kind: 'provider', issuer: oidc.issuer, clientId: oidc.audience } : { kind: 'development' }
