import { Type } from 'typebox'
import { Name } from '../text.ts'
import { defineRoute } from './route.ts'

const open = { envelope: 'plain', auth: 'none' } as const
const development = { ...open, tag: 'Development identity' } as const

/** How people sign in. The web app asks this first. */
export const SignInSettings = Type.Union([
  Type.Object({
    kind: Type.Literal('development', {
      description: 'Anyone may be anyone: the development issuer gives tokens',
    }),
  }),
  Type.Object({
    kind: Type.Literal('provider', { description: 'OpenID Connect, authorization code flow with PKCE' }),
    issuer: Type.String({ description: 'The identity provider' }),
    clientId: Type.String({ description: 'The web app, as the provider knows it: `aud` of its ID tokens' }),
  }),
])
export type SignInSettings = Type.Static<typeof SignInSettings>

/** R51: somebody who was recruited by a link and has no account. */
export const GuestBody = Type.Object({
  experimentId: Name(128, 'The experiment'),
  externalId: Type.Optional(
    Name(
      255,
      'Who it is, as the recruiting site says it: the same id is the same person in this experiment. A placeholder that the site has not filled in counts as none',
    ),
  ),
  guestSecret: Type.Optional(
    Name(
      200,
      'From an earlier answer for the same experiment: says which device it is, and who it is when there is no `externalId`. Without either it is somebody new',
    ),
  ),
})
export type GuestBody = Type.Static<typeof GuestBody>

const GuestAnswer = Type.Object({
  idToken: Type.String({ description: 'For joining this experiment and its history; good for ten minutes' }),
  guestSecret: Type.String({
    description: 'To be kept by the browser and sent next time: whoever has it is this person at this device',
  }),
})

export const identityRoutes = {
  signIn: defineRoute({
    ...open,
    tag: 'Identity',
    method: 'GET',
    path: '/api/identity',
    summary: 'How people sign in',
    success: { status: 200, schema: SignInSettings, description: 'What a page needs to sign people in' },
  }),
  guest: defineRoute({
    ...open,
    tag: 'Identity',
    method: 'POST',
    path: '/api/participant/guest',
    summary: 'Get an ID token for somebody without an account',
    description:
      'The token is good for joining this experiment and for its history, and for nothing else. An experiment with `access: "signed_in"` takes no guests: FORBIDDEN, with `details.reason` `signed_in`. A device that has joined gets a token whatever its status. The same `externalId` from another device may join and continue while the experiment recruits, but is not shown the code that was given to the first: send the `guestSecret` with the `externalId`. An address that names more than 60 such ids a minute is limited.',
    addressLimit: 'guest',
    body: GuestBody,
    success: { status: 200, schema: GuestAnswer, description: 'The token, and what to keep' },
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'EXPERIMENT_NOT_FOUND', 'EXPERIMENT_CLOSED'],
  }),
} as const

/** R6: only while the embedded development issuer runs. */
export const developmentIdentityRoutes = {
  token: defineRoute({
    ...development,
    method: 'POST',
    path: '/dev/identity/token',
    summary: 'Issue an ID token for anyone (development only)',
    body: Type.Object({
      sub: Name(255, 'Who'),
      name: Type.Optional(Name(255, 'Display name')),
      email: Type.Optional(Name(255, 'E-mail address; counts as verified')),
      roles: Type.Optional(Type.Array(Name(64, '`researcher` or `admin`'), { maxItems: 20 })),
    }),
    success: { status: 200, schema: Type.Object({ idToken: Type.String() }), description: 'A signed token' },
  }),
  jwks: defineRoute({
    ...development,
    method: 'GET',
    path: '/dev/identity/jwks',
    summary: 'The public keys of the development issuer',
    success: {
      status: 200,
      schema: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) }),
      description: 'A JSON Web Key Set',
    },
  }),
} as const
