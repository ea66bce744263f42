import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'
import { ShareAccess } from './access.ts'
import { defineRoute } from './route.ts'

/** As in `ADMIN_USERS`: what has an @ is an e-mail address, never a subject. */
export const isEmailUser = (user: string): boolean => user.includes('@')

const isUser = (user: string): boolean =>
  user.trim() === user && (!isEmailUser(user) || /^[^\s@]+@[^\s@]+$/u.test(user))

export const Share = Type.Object(
  {
    user: Type.Refine(
      Name(
        255,
        'Who: the subject of their ID token, or an e-mail address (with an @), which counts only where the token calls it verified',
      ),
      isUser,
      () => 'must be a subject or an e-mail address, without blanks around it',
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
    summary: 'Whom an experiment is shared with',
    success: { status: 200, schema: Shares, description: 'In the order in which they were given' },
  }),
  replace: defineRoute({
    ...sharing,
    method: 'PUT',
    summary: 'Share an experiment with exactly these people',
    description:
      'Replaces the whole list, effective from the next request. Naming someone twice is refused; e-mail addresses are compared without case.',
    body: Shares,
    success: { status: 200, schema: Shares, description: 'The list as it is now' },
  }),
} as const
