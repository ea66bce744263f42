import { type Finding, ok, problem } from '../finding.ts'

/** Each refusal is the sentence with which the server would refuse to start. */
export const judgeConfiguration = (refusals: string[]): Finding[] =>
  refusals.length === 0
    ? [ok('configuration', 'The server accepts it.')]
    : refusals.map((refusal) =>
        problem(
          'configuration',
          refusal,
          'Correct the variable; docs/reference/configuration.md lists them all.',
        ),
      )
