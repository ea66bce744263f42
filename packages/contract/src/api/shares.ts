import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'
import { ShareAccess } from './access.ts'
import { defineRoute } from './route.ts'

/** As in `ADMIN_USERS`: anything with an @ is an e-mail address, never a subject. */
export const isEmailUser = (user: string): boolean => user.includes('@')

const isUser = (user: string): boolean =>
  user.trim() === user && (!isEmailUser(user) || /^[^\s@]+@[^\s@]+$/u.test(user))

export const Share = Type.Object(
  {
    user: Type.Refine(
      Name(
        255,
        'Subject of the person’s ID token, or their e-mail address, which must be verified in the token',
      ),
      isUser,
      () => 'must be a subject or an e-mail address, without surrounding spaces',
    ),
    access: ShareAccess,
  },
  { additionalProperties: false },
)
export type Share = Type.Static<typeof Share>

const Shares = Type.Object(
  { shares: Type.Array(Share, { maxItems: limits.sharesPerExperiment }) },
  { additionalProperties: false },
)

const sharing = {
  tag: 'Experiments',
  envelope: 'plain',
  auth: 'researcher',
  access: 'owner',
  path: '/api/experiments/:experimentId/shares',
  params: Type.Object({ experimentId: Type.String() }),
} as const

export const shareRoutes = {
  read: defineRoute({
    ...sharing,
    method: 'GET',
    summary: 'List the people an experiment is shared with',
    success: { status: 200, schema: Shares, description: 'In the order they were given' },
  }),
  replace: defineRoute({
    ...sharing,
    method: 'PUT',
    summary: 'Replace the list of people an experiment is shared with',
    description:
      'Takes effect from the next request. Duplicates are refused; the case of e-mail addresses is ignored.',
    body: Shares,
    success: { status: 200, schema: Shares, description: 'The updated list' },
  }),
} as const
