import { componentTypes } from '@atrium/contract/components'
import { expect, test } from 'vitest'
import { addressSettings, picturesInTexts } from './draft-pictures.ts'
import { draftTool, readDraft } from './draft-tools.ts'

const elsewhere = 'https://elsewhere.example/who-looks.png'

/** What is left of one component that a model hands in. */
function readComponent(component: unknown) {
  const read = readDraft({ name: 'Drafted', states: [{ id: 'a', components: [component] }] })
  const [state] = (read?.definition.states ?? []) as { components: unknown[] }[]
  return { component: state?.components[0], leftOut: read?.leftOut }
}

test.each<[string, object]>([
  ['options', { type: 'multiple_choice', options: [{ value: 1, label: 'A', image: elsewhere }] }],
  ['pages', { type: 'instructions', pages: ['Read.', { text: 'On', image: elsewhere }] }],
  ['trials', { type: 'reaction_time', trials: [{ text: 'go', image: elsewhere }] }],
  [
    'a type that there is not',
    { type: 'gallery', deep: [{ deeper: { src: elsewhere, poster: elsewhere } }] },
  ],
])('[AD4] a model gives no address of a picture: %s', (_name, component) => {
  const read = readComponent({ id: 'x', ...component })
  expect(JSON.stringify(read.component)).not.toContain('elsewhere')
  expect(read.component).toMatchObject({ id: 'x' })
  expect(read.leftOut?.every((name) => addressSettings.has(name))).toBe(true)
})

test.each([
  [`Look: ![a cat](${elsewhere})`, `Look: [a cat](${elsewhere})`],
  [`!![a cat](${elsewhere})`, `[a cat](${elsewhere})`],
  [`![a cat][1]\n\n[1]: ${elsewhere}`, `[a cat][1]\n\n[1]: ${elsewhere}`],
])('[AD4] %j in a text becomes a link, which loads nothing', (written, kept) => {
  const { component, leftOut } = readComponent({ id: 'x', type: 'text', text: written })
  expect(component).toEqual({ id: 'x', type: 'text', text: kept })
  expect(leftOut).toEqual([picturesInTexts])
})

test('[AD4] a value that may be empty makes no picture of what stands around it', () => {
  const { component } = readComponent({ id: 'x', type: 'text', text: `!{{none}}[a cat](${elsewhere})` })
  expect(component).toMatchObject({ text: `! {{none}}[a cat](${elsewhere})` })
})

test('[AD4] pictures are left out wherever a text stands: the consent, instructions, variables, other languages', () => {
  const picture = `![x](${elsewhere})`
  const read = readDraft({
    name: picture,
    consent: { text: { en: picture, de: picture } },
    variables: { shown: picture, long: { initial: [picture] } },
    states: [{ id: 'a', instructions: picture, components: [] }],
  })
  expect(JSON.stringify(read?.definition)).not.toContain('![')
  expect(read?.leftOut).toEqual([picturesInTexts])
})

test('[AD4] a component whose type is no name is left out, because a list of one name finds the same view', () => {
  for (const type of [['custom_html'], { toString: 'custom_html' }, 7, undefined])
    expect(readComponent({ id: 'x', type, html: '<script>alert(1)</script>' })).toEqual({
      component: undefined,
      leftOut: ['components without a type'],
    })
})

test('[AD4] names that every object inherits are names like others', () => {
  const hostile = JSON.parse(
    '{"name":"x","__proto__":{"access":"public"},"constructor":1,"states":[{"id":"a","__proto__":{"polluted":1},"components":[{"id":"c","type":"text","__proto__":{"image":"x"}}]}]}',
  )
  const read = readDraft(hostile)
  expect(read?.leftOut).toEqual(['__proto__', 'constructor', 'image'])
  expect(Object.hasOwn(read?.definition ?? {}, 'access')).toBe(false)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test('[AD4] every setting of the catalogue that loads something is known, and none is offered', () => {
  const found = new Set<string>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, child] of Object.entries('properties' in node ? Object(node.properties) : {}))
      if (/address|picture shown/i.test(String(Object(child).description)) && Object(child).type === 'string')
        found.add(name)
    for (const child of Object.values(node)) walk(child)
  }
  for (const { settings } of Object.values(componentTypes)) walk(settings)
  expect([...found].toSorted()).toEqual([...addressSettings].toSorted())
  const offered = JSON.stringify(draftTool(['multiple_choice', 'instructions', 'reaction_time', 'ranking']))
  for (const name of addressSettings) expect(offered).not.toContain(`"${name}":`)
})
