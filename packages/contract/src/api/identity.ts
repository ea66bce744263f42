import { Type } from 'typebox'
import { RecordOf } from '../record-of.ts'
import { FreeObject, Name } from '../text.ts'
import { identityAddresses as at } from './addresses.ts'
import { defineRoute } from './route.ts'

const open = { envelope: 'plain', auth: 'none' } as const
const development = { ...open, tag: 'Development identity' } as const

/** How people sign in. The web app requests this first. */
export const SignInSettings = Type.Union([
  Type.Object({
    kind: Type.Literal('development', {
      description: 'The development issuer signs a token for any identity',
    }),
  }),
  Type.Object({
    kind: Type.Literal('provider', { description: 'OpenID Connect, authorization code flow with PKCE' }),
    issuer: Type.String({ description: 'The identity provider' }),
    clientId: Type.String({
      description: 'Client id of the web app at the provider; the `aud` of its ID tokens',
    }),
  }),
])
export type SignInSettings = Type.Static<typeof SignInSettings>

/** R51: a participant who was recruited by a link and has no account. */
export const GuestBody = Type.Object({
  experimentId: Name(128, 'The experiment'),
  externalId: Type.Optional(
    Name(
      255,
      'The id given by the recruiting site; the same id is the same person in this experiment. A placeholder that the site did not fill in is ignored',
    ),
  ),
  guestSecret: Type.Optional(
    Name(
      200,
      'The secret from an earlier response for this experiment; identifies the device, and the person if there is no `externalId`. Without either, a new person is created',
    ),
  ),
  metadata: Type.Optional(
    FreeObject(
      'The parameters of the link. Nothing is stored; they say which code and address belong in an EXPERIMENT_CLOSED response',
    ),
  ),
})
export type GuestBody = Type.Static<typeof GuestBody>

const GuestAnswer = Type.Object({
  idToken: Type.String({
    description: 'Valid for joining this experiment and reading its history, for ten minutes',
  }),
  guestSecret: Type.String({
    description: 'Stored by the browser and sent next time; identifies this person on this device',
  }),
})

export const identityRoutes = {
  signIn: defineRoute({
    ...open,
    ...at.signIn,
    tag: 'Identity',
    summary: 'Get the sign-in settings',
    success: {
      status: 200,
      schema: SignInSettings,
      description: 'The settings that a page needs to sign people in',
    },
  }),
  guest: defineRoute({
    ...open,
    ...at.guest,
    tag: 'Identity',
    summary: 'Get an ID token for a participant without an account',
    description:
      'The token is valid only for joining this experiment and reading its history. An experiment with `access: "signed_in"` refuses guests with FORBIDDEN and `details.reason` `signed_in`. A device that has joined gets a token whatever the status of the experiment. The same `externalId` on another device can join and continue while the experiment is recruiting, but is not shown the code that the first device was given: send the `guestSecret` together with the `externalId`. An address that names more than 60 such ids a minute is limited.',
    addressLimit: 'guest',
    body: GuestBody,
    success: { status: 200, schema: GuestAnswer, description: 'The token, and the secret to store' },
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'EXPERIMENT_NOT_FOUND', 'EXPERIMENT_CLOSED'],
  }),
} as const

/** R6: only while the embedded development issuer runs. */
export const developmentIdentityRoutes = {
  token: defineRoute({
    ...development,
    ...at.developmentToken,
    summary: 'Issue an ID token for anyone (development only)',
    body: Type.Object({
      sub: Name(255, 'Subject of the token'),
      name: Type.Optional(Name(255, 'Display name')),
      email: Type.Optional(Name(255, 'E-mail address; treated as verified')),
      roles: Type.Optional(Type.Array(Name(64, '`researcher` or `admin`'), { maxItems: 20 })),
    }),
    success: { status: 200, schema: Type.Object({ idToken: Type.String() }), description: 'A signed token' },
  }),
  jwks: defineRoute({
    ...development,
    method: 'GET',
    path: '/dev/identity/jwks',
    summary: 'Get the public keys of the development issuer',
    success: {
      status: 200,
      schema: Type.Object({ keys: Type.Array(RecordOf(Type.String(), Type.Unknown())) }),
      description: 'A JSON Web Key Set',
    },
  }),
} as const
