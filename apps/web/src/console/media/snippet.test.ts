import { ExperimentDefinition, studyOf } from '@atrium/contract'
import { checkComponents, checkDefinition } from '@atrium/definition-checks'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { snippetFor } from './snippet.ts'

test.each([90_000, 86_400_000, null])(
  'the snippet is a valid state of a definition (length: %s)',
  (durationMs) => {
    const snippet = snippetFor({ videoId: 'vid_1', durationMs })
    const definition = studyOf(
      Value.Parse(ExperimentDefinition, { name: 'Film', states: [JSON.parse(snippet)] }),
    )
    expect([...checkDefinition(definition), ...checkComponents(definition).errors]).toEqual([])
    expect(definition.states[0]?.components[0]).toMatchObject({ type: 'video', videoId: 'vid_1' })
  },
)

test('a video that cannot play does not hold the study for ever, if its length is known', () => {
  const endOf = (durationMs: number | null) => JSON.parse(snippetFor({ videoId: 'vid_1', durationMs })).end
  expect(endOf(90_000)).toEqual({ on: 'media_ended', componentId: 'film', afterMs: 150_000 })
  expect(endOf(null)).toEqual({ on: 'media_ended', componentId: 'film' })
  expect(endOf(86_400_000)).toEqual({ on: 'media_ended', componentId: 'film' })
})
