/** The link that participants open. */
export const joinLink = (origin: string, experimentId: string): string =>
  `${origin}/join/${encodeURIComponent(experimentId)}`

/** The link for the settings of a Prolific study: Prolific fills in the parts in braces. */
export const prolificLink = (origin: string, experimentId: string): string =>
  `${joinLink(origin, experimentId)}?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}`

/** The study URL for SONA, which replaces the placeholder. */
export const sonaLink = (origin: string, experimentId: string): string =>
  `${joinLink(origin, experimentId)}?sona_id=%SURVEY_CODE%`
