/** Why a call got no answer at all. */
export const en = {
  unreachable: 'The connection was lost.',
  timeout: 'The server did not answer in time.',
};
