//! The questions of one job: each different one once, a few at a time, within the job's limits.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

use super::answer::{self, Accepted, Ranking};
use super::intent::IntentTexts;
use super::question::{self, Question, Which};
use super::refusal::Refusal;
use super::{AT_ONCE, LanguageModel};
use crate::metrics::Metrics;
use crate::verdict::Fact;

/// Questions in a row that may come to nothing before no more are asked.
const MAX_FAILURES: u32 = 3;

/// What came of asking about one page.
#[derive(Debug)]
pub enum Reply {
    /// There was nothing to ask.
    NotAsked,
    /// An answer of which something is used.
    Answered(Answers),
    /// The measured result stands.
    Refused(Refusal),
}

/// What is used of an answer, by the findings of one page.
#[derive(Debug)]
pub struct Answers {
    /// SHA-256 of the question, in hex.
    pub(super) prompt_hash: String,
    accepted: Arc<Vec<Accepted>>,
    places: Vec<Option<usize>>,
}

impl Answers {
    /// What is used for the finding with this number.
    pub(super) fn on(&self, finding: usize) -> Option<&Accepted> {
        let place = self.places.get(finding).copied().flatten()?;
        self.accepted.get(place)
    }

    /// The verdict on the change that a finding tells of, whichever of its findings was asked for.
    pub(super) fn ranking(&self, facts: &[Fact], fact: &Fact) -> Option<&Ranking> {
        fact.change?;
        facts
            .iter()
            .enumerate()
            .filter(|(_, other)| other.change == fact.change)
            .find_map(|(index, _)| self.on(index)?.ranking.as_ref())
    }

    #[cfg(test)]
    pub(super) fn new(
        prompt_hash: String,
        accepted: Vec<Accepted>,
        places: Vec<Option<usize>>,
    ) -> Self {
        Self {
            prompt_hash,
            accepted: Arc::new(accepted),
            places,
        }
    }
}

/// The answer to one question of the round.
type Answer = Result<Arc<Vec<Accepted>>, Refusal>;

impl LanguageModel {
    /// Asks about the pages of one job; the replies are in their order. Takes no longer than a job may.
    ///
    /// # Errors
    /// Never with facts of ours; a question could not be written.
    pub async fn ask_about(
        &self,
        pages: &[Vec<Fact>],
        intent: &IntentTexts,
        which: Which,
        metrics: &Metrics,
    ) -> anyhow::Result<Vec<Reply>> {
        let mut questions: Vec<Question> = Vec::new();
        let mut by_hash: HashMap<String, usize> = HashMap::new();
        let mut of_pages = Vec::new();
        for facts in pages {
            let asked = question::about(facts, intent, which, &self.name)?;
            of_pages.push(asked.map(|asked| {
                let hash = asked.question.hash.clone();
                let number = *by_hash.entry(hash).or_insert_with(|| {
                    questions.push(asked.question);
                    questions.len() - 1
                });
                (number, asked.places)
            }));
        }
        let answers = self.ask_all(&questions, intent, metrics).await;
        let replies = of_pages.into_iter().map(|asked| match asked {
            None => Reply::NotAsked,
            Some((number, places)) => match &answers[number] {
                Err(refusal) => Reply::Refused(*refusal),
                Ok(accepted) => Reply::Answered(Answers {
                    prompt_hash: questions[number].hash.clone(),
                    accepted: accepted.clone(),
                    places,
                }),
            },
        });
        Ok(replies.collect())
    }

    async fn ask_all(
        &self,
        questions: &[Question],
        intent: &IntentTexts,
        metrics: &Metrics,
    ) -> Vec<Answer> {
        let end = Instant::now() + self.limits.job;
        let failures = AtomicU32::new(0);
        let (asked, left_out) = questions.split_at(self.limits.questions.min(questions.len()));
        let asking: Vec<_> = asked
            .iter()
            .map(|question| self.ask(question, intent, end, &failures, metrics))
            .collect();
        let mut answers: Vec<Answer> = stream::iter(asking).buffered(AT_ONCE).collect().await;
        answers.extend(left_out.iter().map(|_| Err(Refusal::TooMany)));
        answers
    }

    async fn ask(
        &self,
        question: &Question,
        intent: &IntentTexts,
        end: Instant,
        failures: &AtomicU32,
        metrics: &Metrics,
    ) -> Answer {
        let Ok(Ok(_permit)) = timeout_at(end, self.permits.acquire()).await else {
            return Err(Refusal::OutOfTime);
        };
        if failures.load(Ordering::Relaxed) >= MAX_FAILURES {
            return Err(Refusal::GivenUp);
        }
        let began = Instant::now();
        if began >= end {
            return Err(Refusal::OutOfTime);
        }
        let deadline = end.min(began + self.limits.question);
        let content = self.endpoint.ask(&question.body, deadline).await;
        let answer = content.and_then(|content| answer::read(&content, &question.items, intent));
        self.note(&answer, began.elapsed(), metrics);
        match answer {
            Ok(accepted) => {
                failures.store(0, Ordering::Relaxed);
                Ok(Arc::new(accepted))
            }
            Err(refusal) => {
                failures.fetch_add(1, Ordering::Relaxed);
                Err(refusal)
            }
        }
    }

    /// Counts a question. Neither texts nor keys are logged.
    fn note(&self, answer: &Result<Vec<Accepted>, Refusal>, took: Duration, metrics: &Metrics) {
        let (model, took_ms) = (&self.name, took.as_millis());
        match answer {
            Ok(accepted) => {
                metrics.count_question("answered");
                let findings = accepted.len();
                tracing::debug!(model, took_ms, findings, "a language model answered");
            }
            Err(refusal) => {
                metrics.count_question(refusal.as_str());
                tracing::warn!(model, took_ms, %refusal, "a language model is not heeded; the measured result stands");
            }
        }
    }
}
