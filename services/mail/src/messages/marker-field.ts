/** The header field by which a provider finds the draft of a submission. */
export const MARKER_FIELD = 'X-Action-Platform-Key';
