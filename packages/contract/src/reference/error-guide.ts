import type { ErrorCode } from '../errors.ts'
import { limits } from '../limits.ts'

/** What a client should do about each code, and what `details` contains. For the reference only; no code reads it. */
export const errorGuide: Record<ErrorCode, { action: string; details?: string }> = {
  VALIDATION_FAILED: {
    action: 'Correct the request. Sending it again unchanged fails again.',
    details: '`issues`: list of `{path, message}`',
  },
  UNAUTHENTICATED: {
    action:
      'Get a new ID token, or create a new API key if yours has expired or been revoked, and repeat the call.',
  },
  SESSION_EXPIRED: { action: 'Call join again.', details: '`sessionId`, `expiredAt`' },
  SESSION_INVALID: {
    action: 'Call join again.',
    details: '`reason`: `user_agent` if the session was opened in a different browser',
  },
  FORBIDDEN: {
    action:
      'Ask an administrator for the role. If `details` names an access level, ask the owner of the experiment for it. With an API key, use one that was made for this, or do it yourself if no key may.',
    details:
      'For one experiment: `access` (what you have) and `needed`. For an API key: `reason` (`people_only`, `read_only` or `limited`)',
  },
  CONSENT_REQUIRED: {
    action:
      'Ask the participant, record `consent_given` and repeat the call. If they decline, record `consent_declined` and complete with `NO_CONSENT`.',
  },
  SESSION_MISMATCH: { action: 'Use the session that belongs to this experiment and room.' },
  NOT_FOUND: { action: 'Check the address and the ids in it.' },
  EXPERIMENT_NOT_FOUND: {
    action: 'Check the experiment id. Discover lists the experiments that are recruiting.',
  },
  REQUEST_TIMEOUT: { action: 'Send the request again, in smaller batches if the connection is slow.' },
  EXPERIMENT_CLOSED: {
    action: 'None. Tell the participant that the experiment accepts nobody else.',
    details:
      '`reason`: `status`, `full` or `already_completed`; the last comes with the `outcome`, `completionCode`, `redirectUrl` and `payment` of the completed participation and, where they can still withdraw, with `withdrawal` (what it `deletes`, and the `sessionId` and `sessionToken` to do so), the others with those for `QUOTA_FULL` and `STUDY_CLOSED` if the definition has codes for them',
  },
  SESSION_COMPLETED: { action: 'None. The participant has finished.' },
  EVENTS_MISSING: { action: 'Send the events that are still in the client’s queue, then repeat the call.' },
  NOT_FINISHED: {
    action:
      'Continue to the end of the flow, then complete. The platform’s other outcomes are accepted at any time.',
  },
  REVISION_CONFLICT: {
    action: 'Read the newest revision, bring your changes to it, and save them on top of it.',
    details: '`basedOn`: what you sent; `revision`: the newest one',
  },
  DRAFT_CONFLICT: {
    action: 'Read the draft, bring your changes to it, and save them on top of it.',
    details: '`version`: the newest one; `savedAt` and `savedBy`: when it was saved, and by whom',
  },
  NOT_PUBLISHED: { action: 'Publish the draft, which can start recruiting in the same step.' },
  STATUS_CONFLICT: { action: 'Read the experiment and choose a status that can follow its current one.' },
  ROOM_NOT_FOUND: { action: 'Use the room id from the join response or from `room_assigned`.' },
  ROOM_PAUSED: { action: 'Wait for the event `resumed`, then repeat the action with the same id.' },
  ROOM_ENDED: { action: 'Complete with the outcome that the room decided.' },
  ROOM_ELSEWHERE: { action: 'Reconnect after a random delay.' },
  ACTION_REFUSED: { action: 'Read the message. The snapshot shows what the room allows.' },
  NOT_SHOWN: {
    action:
      'Leave it out: its `when` is not true, by the answers that the room has. Send those that it reads first.',
  },
  MEDIA_NOT_FOUND: { action: 'Check the media id. The list of media shows those you may see.' },
  MEDIA_IN_USE: {
    action:
      'Remove the file from these experiments first; archived ones cannot be changed, and keep their files. An administrator can find the owners of those that you may not see.',
    details:
      '`experiments`: those that you may see, as a list of `{experimentId, name}`; `others`: number of those that you may not see',
  },
  MEDIA_NAME_TAKEN: {
    action: 'Give the file another name, or rename or delete the other one first.',
    details: '`names`: the names that are taken',
  },
  MEDIA_LIMIT: { action: 'Delete pictures and sounds that no study uses.' },
  VIDEO_NOT_FOUND: { action: 'Check the video id. The list of videos shows those you may see.' },
  VIDEO_FAILED: {
    action:
      'Replace these videos, or have an administrator process them again; then start recruiting, or save again.',
    details: '`videos`: a list of `{videoId, path}`, with the path of each component in the definition',
  },
  VIDEO_IN_USE: {
    action:
      'Remove the video from these experiments first; archived ones cannot be changed, and keep their videos. An administrator can find the owners of those that you may not see.',
    details:
      '`experiments`: those that you may see, as a list of `{experimentId, name}`; `others`: number of those that you may not see',
  },
  CREDENTIAL_NOT_FOUND: { action: 'Check the credential id. The list of credentials shows yours.' },
  CREDENTIAL_IN_USE: {
    action:
      'Close these experiments, or save a revision with another credential, and wait until nobody takes part in the old one any more.',
    details:
      '`experiments`: those that you may see, as a list of `{experimentId, name}`; `others`: number of those that you may not see',
  },
  CREDENTIAL_LIMIT: { action: 'Delete credentials that you no longer need.' },
  CREDENTIAL_MISSING: {
    action: 'Give these agents another credential; then start recruiting.',
    details: '`agents`: a list of `{credentialId, path}`, with the path of each in the definition',
  },
  CREDENTIAL_TEST_RUNNING: { action: 'Wait for the result of the running test.' },
  CREDENTIAL_UNREADABLE: {
    action:
      'Change the credential and give `apiKey` again, or ask the operator to restore the missing key to `CREDENTIAL_KEYS`.',
  },
  PROLIFIC_STUDY_NOT_FOUND: {
    action: 'Use a study that was created here, for this experiment, and a submission to it.',
  },
  PROLIFIC_NOT_CONNECTED: { action: 'Connect the experiment with an API token of your account at Prolific.' },
  PROLIFIC_BONUS_EXISTS: {
    action: 'If `status` is `unknown`, look at Prolific whether it was paid, and settle it.',
    details: '`status` and `amount` of the bonus',
  },
  PROLIFIC_REFUSED: {
    action: 'Correct what Prolific names, or connect again if the token is no longer valid.',
    details: '`status`: HTTP status of its response; `message`: its explanation, shortened',
  },
  PROLIFIC_UNAVAILABLE: {
    action: 'Try again later; nothing is paid twice.',
    details: '`reason`: `timeout`, `rate_limited`, `failed` or `malformed`',
  },
  KEY_NOT_FOUND: { action: 'Check the key id. The list of keys shows yours.' },
  TABLE_NOT_FOUND: { action: 'Check the table id. The list of tables shows yours.' },
  TABLE_LIMIT: { action: 'Delete tables that you no longer need. Revisions keep the rows that they use.' },
  KEY_LIMIT: { action: 'Revoke keys that you no longer need.' },
  UPLOAD_LIMIT: { action: 'Complete or abandon some of them; they are removed by themselves after a week.' },
  UPLOAD_NOT_FOUND: {
    action: 'Check `uploadId` and `key`. An abandoned upload is removed after some days; begin a new one.',
  },
  EXPORT_CHANGED: { action: 'Discard what you have of the file, and ask for it again without `resume`.' },
  UPLOAD_COMPLETED: { action: 'None. Delete the video if you do not need it.' },
  UPLOAD_UNFINISHED: { action: 'Finish or abandon the upload first.' },
  VIDEO_OFF: {
    action:
      'Ask the operator to configure an object store (`S3_ENDPOINT`), or use addresses of videos elsewhere.',
  },
  PAYLOAD_TOO_LARGE: {
    action: `Send smaller batches, of at most ${limits.eventsPerBatch} events; upload larger videos in parts.`,
  },
  QUOTA_EXCEEDED: {
    action:
      'Stop sending data; nothing of this request was stored, and what was acknowledged before is safe. Completing and leaving still work, and answers in a room have a reserve of a quarter. The operator can raise `PARTICIPANT_QUOTA_BYTES`, `PARTICIPANT_FILES_QUOTA_BYTES` or `EXPERIMENT_QUOTA_BYTES`.',
    details: '`scope`: `participant` or `experiment`; `usedBytes` and `limitBytes`',
  },
  AGENT_ADDRESS_REFUSED: {
    action:
      'Check the base URL: https, a host name that everybody can look up, no user name, and port 443 or one above 1023. Check that the model server is running. The response does not say which of these it is.',
  },
  IDEMPOTENCY_CONFLICT: { action: 'Use a new key for a new body. A retry must repeat the body unchanged.' },
  RATE_LIMITED: {
    action: 'Wait for the number of seconds in Retry-After, then repeat the call.',
    details: '`retryAfterSeconds`; also in the `data` of a refused handshake',
  },
  HOST_REFUSED: {
    action:
      'Only while the development issuer runs, as a protection from pages that let their own name point to this server. Use an IP address, `localhost`, or a name in `PUBLIC_URL` or `PAGE_ORIGINS`.',
  },
  HEADERS_TOO_LARGE: { action: 'Send fewer or shorter headers and cookies.' },
  INTERNAL: {
    action: 'Retry once with the same idempotency key. If it fails again, report the X-Request-Id.',
  },
  BAD_GATEWAY: { action: 'Retry after a second with the same idempotency key. Another instance takes over.' },
  UNAVAILABLE: {
    action: 'Wait for the number of seconds in Retry-After, then retry with the same idempotency key.',
    details:
      '`reason`, where it is known; among others `disk_full` (too little space left, or none) and `read_only`, which an operator has to fix',
  },
  STORAGE_FULL: { action: 'Delete what is no longer needed, or ask the operator for more space.' },
  GATEWAY_TIMEOUT: { action: 'Retry with the same idempotency key, because the request may have succeeded.' },
}
