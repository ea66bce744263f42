import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'

const Strict = { additionalProperties: false }

const networkKinds = ['complete', 'ring', 'lattice', 'small_world', 'random', 'scale_free', 'edges'] as const
export type NetworkKind = (typeof networkKinds)[number]

const End = Type.Union(
  [
    Type.Integer({
      minimum: 1,
      maximum: limits.definition.groupSize,
      title: 'Seat',
      description: 'Number of a seat: 1 is P1',
    }),
    Type.String({ minLength: 1, maxLength: 64, title: 'Role', description: 'Everyone with this role' }),
  ],
  { title: 'Seat or role', description: 'Number of a seat, counted from 1, or a role' },
)

/** R72 */
export const Network = Type.Object(
  {
    kind: Type.Enum([...networkKinds], {
      description:
        '`complete`: everyone with everyone; `ring`: a circle, each with the nearest; `lattice`: a grid whose borders meet; `small_world`: a ring with some edges moved at random; `random`: edges between any two; `scale_free`: a few have many neighbours; `edges`: the edges that are listed',
    }),
    degree: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.definition.groupSize - 1,
        description:
          'Number of neighbours of each; on average in `random` and `scale_free`, before edges are moved in `small_world`. 2 in a `ring`, 4 in all others when absent',
      }),
    ),
    rewire: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Of a `small_world`: the probability that an edge is moved; 0.1 when absent',
      }),
    ),
    edges: Type.Optional(
      Type.Array(Type.Array(End, { minItems: 2, maxItems: 2, title: 'Edge' }), {
        minItems: 1,
        maxItems: limits.definition.listedEdges,
        description: 'Of the kind `edges`: pairs of seats (numbers from 1) or roles, such as `[1, 2]`',
      }),
    ),
    seed: Type.Optional(
      Name(200, 'With a seed, all rooms of the same size have the same network; one of its own when absent'),
    ),
  },
  { ...Strict, description: 'Who is joined with whom in a room; everyone sees everyone when absent' },
)
export type Network = Type.Static<typeof Network>

const Named = (what: string) =>
  Type.Optional(
    Name(
      2_000,
      `Expression, evaluated for each participant after \`onEnd\`: the alias of somebody, or a list of aliases, ${what}. It may draw; nobody when absent`,
    ),
  )

/** R72: how the network changes when a state ends. */
export const Rewiring = Type.Object(
  {
    cut: Named('from whom they part'),
    join: Named('with whom they are joined'),
    mutual: Type.Optional(
      Type.Boolean({
        description:
          'Whether two are joined only if each names the other; false when absent: naming somebody suffices',
      }),
    ),
  },
  {
    ...Strict,
    title: 'Change of the network',
    description:
      'How the network of the room changes when the state ends: first who parts, then who is joined',
  },
)

/** The number of neighbours that is meant where none is written; undefined for kinds that have none. */
export function degreeOf({ kind, degree }: Pick<Network, 'kind' | 'degree'>): number | undefined {
  if (kind === 'complete' || kind === 'edges') return undefined
  return degree ?? (kind === 'ring' ? 2 : 4)
}
