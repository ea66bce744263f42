export { createDevelopmentIssuer, type DevelopmentIssuer, developmentIssuer } from './development-issuer.ts'
export { createGuestIssuer, type GuestIssuer } from './guest-issuer.ts'
export {
  actorOf,
  createIdentityCheck,
  type Identity,
  type IdentityCheck,
  inLowerCase,
  signedBy,
} from './identity.ts'
export { createResearcherPseudonyms, type ResearcherPseudonym } from './researcher-pseudonyms.ts'
export { remoteVerifier, type TokenVerifier } from './token-verifier.ts'
