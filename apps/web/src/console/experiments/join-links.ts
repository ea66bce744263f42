/** Where participants begin. */
export const joinLink = (origin: string, experimentId: string): string =>
  `${origin}/join/${encodeURIComponent(experimentId)}`

/** As Prolific wants it in its study settings: it fills in what stands in braces. */
export const prolificLink = (origin: string, experimentId: string): string =>
  `${joinLink(origin, experimentId)}?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}`
