import type { ExperimentDefinition } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onlyFor, randomDefinition, randomRoles } from '../rooms/test/random-definition.ts'
import { experimentConfigOf } from './experiment-config.ts'

/** `ExperimentDefinition` leaves settings to the catalogue, so a literal with a `text` would not compile. */
const textOf = (id: string, text: string, more: object = {}) => ({ id, type: 'text', text, ...more })

const definition: ExperimentDefinition = {
  name: 'Bargain',
  roles: ['buyer', 'seller'],
  variables: { limit: { initial: 80, secret: true } },
  states: [
    {
      id: 'brief',
      name: 'Your side',
      components: [
        textOf('all', 'Hello'),
        textOf('buyers', 'It is worth 120 to you.', { roles: ['buyer'] }),
        textOf('sellers', 'Not below 80.', { roles: ['seller'], saveTo: 'limit' }),
      ],
      end: { on: 'condition', when: 'limit > 80', afterMs: 5_000 },
      onEnter: { limit: '80' },
      next: [{ to: 'end', when: 'limit < 80' }],
    },
    {
      id: 'offer',
      name: 'Name your lowest price',
      instructions: 'Below 80 you keep it.',
      roles: ['seller'],
      components: [{ id: 'price', type: 'slider' }],
      end: { on: 'button', label: 'At least 80' },
    },
  ],
  globalComponents: [textOf('note', '80', { roles: ['seller'] })],
}

describe('What a join reveals of the definition', () => {
  it('[R53,S31] nothing of another role, and nothing of any role before one is assigned', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }).chain(randomDefinition), (random) => {
        for (const role of [null, ...randomRoles]) {
          const told = JSON.stringify(experimentConfigOf(random, role))
          for (const other of randomRoles) if (other !== role) expect(told).not.toContain(onlyFor(other))
        }
      }),
    )
  })

  it('[R53] a participant with a role gets everything that role sees', () => {
    fc.assert(
      fc.property(randomDefinition(2), (random) => {
        const [role = ''] = randomRoles
        const told = experimentConfigOf(random, role)
        const isTheirs = ({ roles }: { roles?: string[] }) => !roles || roles.includes(role)
        expect(told.states.map(({ id, components }) => [id, components.map((one) => one.id)])).toEqual(
          random.states
            .filter(isTheirs)
            .map(({ id, components }) => [id, components.filter(isTheirs).map((one) => one.id)]),
        )
      }),
    )
  })

  it('[R53,S31] no expression, no role and no target of a response is revealed', () => {
    expect(JSON.stringify(experimentConfigOf(definition, 'buyer'))).not.toContain('80')
    expect(experimentConfigOf(definition, 'buyer')).toEqual({
      name: 'Bargain',
      language: 'en',
      states: [
        {
          id: 'brief',
          name: 'Your side',
          components: [
            textOf('all', 'Hello'),
            { id: 'buyers', type: 'text', text: 'It is worth 120 to you.' },
          ],
          end: { on: 'condition', afterMs: 5_000 },
        },
      ],
      globalComponents: [],
    })
    expect(experimentConfigOf(definition, null).states).toMatchObject([{ components: [{ id: 'all' }] }])
    expect(experimentConfigOf(definition, 'seller').states[1]).toEqual({
      id: 'offer',
      name: 'Name your lowest price',
      instructions: 'Below 80 you keep it.',
      components: [{ id: 'price', type: 'slider' }],
      end: { on: 'button', label: 'At least 80' },
    })
  })

  it('[R53] texts have an ellipsis for every value, which only the room knows, and no expression', () => {
    const told = experimentConfigOf(
      {
        name: 'n',
        variables: { pot: { initial: 3, secret: true } },
        states: [
          {
            id: 's',
            name: 'Round {{round}}',
            instructions: 'There are {{pot > 80 ? "many" : "few"}} points, and braces: {{"{{"}}.',
            components: [
              textOf('t', '**{{pot | 0.00}}** points'),
              { id: 'h', type: 'custom_html', html: '<b>{{x}}</b>' },
            ],
            end: { on: 'button', label: 'Give {{pot}}' },
          },
        ],
        globalComponents: [textOf('g', 'Pot: {{pot}}')],
      } as ExperimentDefinition,
      null,
    )
    expect(told.states).toEqual([
      {
        id: 's',
        name: 'Round …',
        instructions: 'There are … points, and braces: {{.',
        components: [textOf('t', '**…** points'), { id: 'h', type: 'custom_html', html: '<b>{{x}}</b>' }],
        end: { on: 'button', label: 'Give …' },
      },
    ])
    expect(told.globalComponents).toEqual([textOf('g', 'Pot: …')])
  })

  it('[R93] the page is told what it is to measure, and nothing where the study collects nothing', () => {
    expect(experimentConfigOf({ ...definition, paradata: ['focus', 'device'] }, null)).toMatchObject({
      paradata: ['focus', 'device'],
    })
    expect(experimentConfigOf(definition, null)).not.toHaveProperty('paradata')
  })

  it('[R53] the video that ends a state is named only to those who see it', () => {
    const video = { id: 'film', type: 'video', roles: ['a'], src: '/film.mp4' }
    const end = { on: 'media_ended' as const, componentId: 'film' }
    const shown = (role: string) =>
      experimentConfigOf({ name: 'n', roles: ['a'], states: [{ id: 's', components: [video], end }] }, role)
        .states[0]?.end
    expect(shown('a')).toEqual(end)
    expect(shown('b')).toEqual({ on: 'media_ended' })
  })
})
