import { examples, quickExamples, testCrowd, testExamples, useInstance } from './test/play-examples.ts'

const play = useInstance()

testExamples(
  play,
  examples.filter((name) => !quickExamples.includes(name)),
)
testCrowd(play, 200)
