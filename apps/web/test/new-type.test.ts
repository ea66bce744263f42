import { drawAnswer } from '@atrium/agent-protocol'
import { createDraws } from '@atrium/bots'
import type { ComponentView, RoomSnapshot } from '@atrium/contract'
import {
  type ComponentTypeName,
  isRequired,
  publicComponent,
  responseSchemaOf,
} from '@atrium/contract/components'
import { checkComponents } from '@atrium/definition-checks'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Value } from 'typebox/value'
import { expect, test, vi } from 'vitest'
import { ComponentHost } from '../src/participant/room/component-host.tsx'
import type { Scene, ViewProps } from '../src/participant/views/view.ts'

/** As small as a declaration gets: three moods to choose from, and a secret. */
const mood = await vi.hoisted(async () => {
  const { Type } = await import('typebox')
  return {
    type: 'mood',
    title: 'Mood',
    description: 'How somebody feels.',
    place: 'state',
    responds: 'once',
    requiredByDefault: true,
    sentBy: 'page_button',
    records: 'The chosen mood.',
    settings: Type.Object({
      moods: Type.Optional(Type.Array(Type.String(), { title: 'Moods', default: ['good', 'fair', 'bad'] })),
      best: Type.Optional(Type.String({ title: 'Best mood', writeOnly: true })),
    }),
    response: ({ moods }: { moods: string[] }) => Type.Enum(moods, { title: 'Mood' }),
    example: { settings: {}, response: 'good' },
  }
})

// Not the bundle that test runs have of it, in which nothing can be replaced.
vi.mock('@atrium/contract', () => vi.importActual('../../../packages/contract/src/index.ts'))
vi.mock('@atrium/contract/components', () =>
  vi.importActual('../../../packages/contract/src/components/index.ts'),
)
// The two lists that a new type is added to, each with one more line.
vi.mock('../../../packages/contract/src/components/declared.ts', async (original) => {
  const { declareType } = await vi.importActual<{ declareType(declared: object): unknown }>(
    '../../../packages/contract/src/components/component-type.ts',
  )
  return { declared: [...(await original<{ declared: unknown[] }>()).declared, declareType(mood)] }
})
vi.mock('../src/participant/views/catalogue.ts', async () => {
  const { withSettings } = await import('../src/participant/views/settings/with-settings.tsx')
  const Mood = ({ settings }: ViewProps & { settings: object }) =>
    createElement('p', {}, Object.values(settings).flat().join(' or '))
  return { views: new Map([[mood.type, withSettings(mood.type as ComponentTypeName, Mood)]]) }
})

const component = { id: 'now', type: 'mood', best: 'good' }
const asReceived: ComponentView = publicComponent(component)

test('a new type needs a declaration and a view: then it is checked, shown, answered and awaited', () => {
  const errorsWith = (settings: object) =>
    checkComponents({ name: 'Mood', states: [{ id: 's', components: [{ ...component, ...settings }] }] })
  expect(errorsWith({})).toEqual({ errors: [], warnings: [] })
  expect(errorsWith({ moods: 'good' }).errors).toMatchObject([{ path: '/states/0/components/0/moods' }])

  expect(asReceived).toEqual({ id: 'now', type: 'mood' })
  expect(isRequired(asReceived)).toBe(true)

  const answer = drawAnswer(asReceived, createDraws('seed')('answer'))
  expect(Value.Check(responseSchemaOf(component) ?? {}, answer)).toBe(true)

  expect(pageWith(asReceived)).toContain('<p>good or fair or bad</p>')
  expect(pageWith({ ...asReceived, moods: 7 })).toContain('cannot be shown')
})

function pageWith(shown: ComponentView): string {
  const self: Partial<RoomSnapshot['self']> = { responses: {}, results: {} }
  return renderToStaticMarkup(
    createElement(ComponentHost, {
      component: shown,
      // What a component can know about the room; this one needs none of it.
      scene: { isStill: false } as Scene,
      self: self as RoomSnapshot['self'],
      send: async () => undefined,
    }),
  )
}
