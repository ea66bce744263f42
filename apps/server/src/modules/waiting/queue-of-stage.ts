/** R68: the queue for one stage of a study. That for the first has the name of the experiment, as where there is only one. */
export const queueIdOf = ({ experimentId, stage }: { experimentId: string; stage: string | null }): string =>
  stage === null ? experimentId : `${experimentId}:${stage}`

/** What a queue is for. Ids of experiments have no colon; those of stages may. */
export function stageOfQueue(queueId: string): { experimentId: string; stage: string | null } {
  const at = queueId.indexOf(':')
  return at < 0
    ? { experimentId: queueId, stage: null }
    : { experimentId: queueId.slice(0, at), stage: queueId.slice(at + 1) }
}
