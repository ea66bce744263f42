/** R68: the queue for one stage of a study. That for the first has the name of the experiment, as where there is only one. */
export const queueIdOf = ({ experimentId, stage }: { experimentId: string; stage: string | null }): string =>
  stage === null ? experimentId : `${experimentId}:${stage}`

/** One for each stage that people may wait for. */
export const queuesOf = (experimentId: string, stages: readonly { id: string }[]): string[] =>
  [null, ...stages.slice(1).map(({ id }) => id)].map((stage) => queueIdOf({ experimentId, stage }))

/** What a queue is for. Ids of experiments have no colon; those of stages may. */
export function stageOfQueue(queueId: string): { experimentId: string; stage: string | null } {
  const at = queueId.indexOf(':')
  return at < 0
    ? { experimentId: queueId, stage: null }
    : { experimentId: queueId.slice(0, at), stage: queueId.slice(at + 1) }
}
