import { limits } from '@atrium/contract'
import { type Html, html, prose } from './html.ts'
import { codeBlock } from './reference-schema.ts'

/** The life of a participant as commands that can be pasted into a terminal, one after the other. */
const steps: readonly { title: string; text: string; command: string }[] = [
  {
    title: 'Get an ID token',
    text: 'In production it comes from your identity provider. In development the server issues one for anyone. Keep it as `ID_TOKEN`.',
    command: `curl -s $BASE/dev/identity/token \\
  -H 'Content-Type: application/json' \\
  -d '{"sub":"user-1","name":"Ada"}'`,
  },
  {
    title: 'Join an experiment',
    text: '`EXPERIMENT_ID` is one that recruits. The token is needed only here: the answer holds the experiment and the `sessionId` that the next calls carry. Joining again resumes.',
    command: `curl -s $BASE/api/v4/participant/join \\
  -H "Authorization: Bearer $ID_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"experimentId":"'$EXPERIMENT_ID'","role":"participant"}'`,
  },
  {
    title: 'Record events',
    text: `Send them in batches of up to ${limits.eventsPerBatch}. An answer means that the whole batch is stored durably; with an \`Idempotency-Key\` a retry is safe.`,
    command: `curl -s $BASE/api/v4/participant/events \\
  -H "X-Session-Id: $SESSION_ID" \\
  -H 'Idempotency-Key: batch-1' \\
  -H 'Content-Type: application/json' \\
  -d '{"events":[{"type":"component_response","componentId":"trust_rating",
       "timestamp":1772443800000,"data":{"value":4,"responseTime":840}}]}'`,
  },
  {
    title: 'Complete',
    text: 'The session ends and the participant receives the completion code, and the address to go to if the experiment has one.',
    command: `curl -s $BASE/api/v4/participant/complete \\
  -H "X-Session-Id: $SESSION_ID" \\
  -H 'Content-Type: application/json' \\
  -d '{"completionCode":"SUCCESS","summary":{"totalEvents":1,"duration":60000}}'`,
  },
  {
    title: 'Look back',
    text: 'A person sees their own sessions, newest first.',
    command: `curl -s $BASE/api/v4/participant/history \\
  -H "Authorization: Bearer $ID_TOKEN"`,
  },
]

export const introduction = (baseUrl: string): Html => html`<section aria-labelledby="start">
<h2 id="start">The life of a participant</h2>
<p>Five calls, from the first token to the history. They use this address:</p>
${codeBlock(`BASE=${baseUrl}`)}
<ol class="steps">${steps.map(
  ({ title, text, command }) => html`<li><strong>${title}.</strong> ${prose(text)}${codeBlock(command)}</li>`,
)}</ol>
</section>
<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
<p>${prose('Bodies are JSON (`Content-Type: application/json`). The participant API answers `{"status":"success","data":…}`, and refuses with `{"status":"error","error":{"code","message","details"}}`. Every other address answers with the object that is shown, and refuses with `{"error","code","details"}`.')}</p>
<p>${prose('Every answer carries `X-Request-Id`. Answers of the participant API carry `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (the Unix second at which the window ends), errors included. Answers 429 and 503 say in `Retry-After` how many seconds to wait.')}</p>
<p>${prose('Keep the session id in memory only and send it over HTTPS only. `X-Session-Token` may carry the session token beside it; when it is sent it must be right.')}</p>
</section>`
