/** Why a backup, a restore or a move does not begin: nothing was written. The message is for the operator. */
export class TransferRefused extends Error {}

/** The object was deleted while it was being read. */
export class ObjectGone extends Error {}
