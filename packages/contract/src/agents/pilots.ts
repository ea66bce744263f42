import { Type } from 'typebox'
import { WholeNumber } from '../api/query.ts'
import { defineRoute } from '../api/route.ts'
import { Agent, AgentBudget } from '../definition/agents.ts'
import { limits } from '../limits.ts'
import { Count, EpochMs } from '../text.ts'

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const PilotBudget = AgentBudget(
  'What the whole pilot may use. Each agent in each room gets an equal share of it; an agent whose share is spent falls back',
)

export const PilotBody = Type.Object(
  {
    rooms: Type.Integer({
      minimum: 1,
      maximum: limits.pilotRooms,
      description: 'How many rooms are played',
    }),
    agents: Type.Optional(
      Type.Array(Agent, {
        minItems: 1,
        maxItems: limits.definition.agents,
        description:
          'Who takes the seats of people, in turn: those with the role of the seat, or without a role. One with the id of an agent of the definition replaces it. When absent, agents of the definition that fill or replace take these seats, or scripted ones',
      }),
    ),
    budget: Type.Optional(PilotBudget),
  },
  { additionalProperties: false },
)
export type PilotBody = Type.Static<typeof PilotBody>

const pilotRoomStatuses = ['waiting', 'running', 'ended'] as const

const PilotSummary = Type.Object({
  pilotId: Type.String(),
  createdAt: EpochMs('When it was requested'),
  revision: Type.Integer({ minimum: 1 }),
  agentsPerRoom: Count('Agents in each room, mediators included'),
  budget: Nullable(PilotBudget),
  progress: Type.Object({
    waiting: Count('Rooms that wait for a place: pilots take no more than half the rooms of an instance'),
    running: Count('Rooms that are being played'),
    ended: Count('Rooms that have ended'),
  }),
  rooms: Type.Array(
    Type.Object({
      roomId: Type.String(),
      status: Type.Enum(pilotRoomStatuses),
      endReason: Nullable(Type.String({ description: 'Null until it has ended' })),
      endedAt: Nullable(EpochMs('When it ended')),
    }),
  ),
})
export type PilotSummary = Type.Static<typeof PilotSummary>

export const pilotsPerPage = { min: 1, max: 100, usual: 20 } as const

const PilotPage = Type.Object({
  pilots: Type.Array(PilotSummary),
  next: Nullable(Type.String({ description: 'Value of `before` for the next page; null on the last page' })),
})
export type PilotPage = Type.Static<typeof PilotPage>

const pilot = {
  tag: 'Agents',
  envelope: 'plain',
  auth: 'researcher',
  path: '/api/experiments/:experimentId/pilots',
  params: Type.Object({ experimentId: Type.String() }),
} as const

export const pilotRoutes = {
  create: defineRoute({
    ...pilot,
    access: 'edit',
    work: 'check',
    method: 'POST',
    summary: 'Play the newest revision with agents in every seat',
    description:
      'Whatever the status of the experiment, unless it is archived. Nobody takes part, so `consent.sendsTextToModels` is not required. The data is marked `synthetic` and is in no export of people.',
    body: PilotBody,
    success: {
      status: 201,
      schema: Type.Object({ pilotId: Type.String(), roomIds: Type.Array(Type.String()) }),
      description: 'The rooms are stored; instances play them as they have places',
    },
    errors: ['STATUS_CONFLICT', 'NOT_PUBLISHED', 'ACTION_REFUSED'],
  }),
  list: defineRoute({
    ...pilot,
    access: 'view',
    method: 'GET',
    summary: 'List the pilots of an experiment and how far they are',
    query: Type.Object({
      limit: Type.Optional(WholeNumber(pilotsPerPage, 'Maximum number of results')),
      before: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.pilot_[A-Za-z0-9_-]{1,64}$',
          description: 'The `next` value of the previous page',
        }),
      ),
    }),
    success: { status: 200, schema: PilotPage, description: 'Newest first' },
  }),
} as const
