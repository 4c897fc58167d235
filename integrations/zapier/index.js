const { version } = require('./package.json')
const { version: platformVersion } = require('zapier-platform-core')
const authentication = require('./authentication')
const replayDeadLetters = require('./creates/replay-dead-letters')
const { authorize, explainErrors } = require('./lib/requests')
const findApp = require('./searches/find-app')
const findReview = require('./searches/find-review')
const appList = require('./triggers/app-list')
const newReview = require('./triggers/new-review')
const ratingDrop = require('./triggers/rating-drop')
const ratingRecovery = require('./triggers/rating-recovery')
const reviewSpike = require('./triggers/review-spike')

module.exports = {
  version,
  platformVersion,
  // A search for text in double braces stays as it is.
  flags: { cleanInputData: false },
  authentication,
  beforeRequest: [authorize],
  afterResponse: [explainErrors],
  triggers: {
    [appList.key]: appList,
    [newReview.key]: newReview,
    [ratingDrop.key]: ratingDrop,
    [ratingRecovery.key]: ratingRecovery,
    [reviewSpike.key]: reviewSpike,
  },
  searches: { [findApp.key]: findApp, [findReview.key]: findReview },
  creates: { [replayDeadLetters.key]: replayDeadLetters },
}
