import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { outputFactsOf } from './transcoding.ts'

test('[V8] levels and length are read from the outputs of a job, whatever else they contain', () => {
  const output = (name: string, durationInMs: unknown) => ({
    outputFilePaths: [`s3://films/videos/v/hls/master_${name}.m3u8`],
    durationInMs,
  })
  const outputDetails = [output('720p', 6_040), output('360p', 6_006.4), output('999p', -1)]
  expect(outputFactsOf([{ outputDetails }])).toEqual({ levels: ['360p', '720p'], durationMs: 6_040 })
  const nothing = { levels: [], durationMs: null }
  expect(outputFactsOf()).toEqual(nothing)
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (outputs) => {
      expect(outputFactsOf(outputs).levels).toEqual([])
    }),
    seeded,
  )
})
