//! Why a question to a language model came to nothing.

/// Why the measured result stands. Displayed as the end of a sentence about the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Refusal {
    /// No connection, or it broke off.
    #[error("it could not be reached")]
    Unreachable,
    /// No whole answer within the deadline.
    #[error("it did not answer in time")]
    TimedOut,
    /// Any status but 200.
    #[error("it answered with status {0}")]
    Status(u16),
    /// More bytes than are read.
    #[error("its answer was too large")]
    TooLarge,
    /// No answer of the protocol.
    #[error("its answer was not of the protocol")]
    Malformed,
    /// The answer ended before it was whole, or is empty.
    #[error("its answer was cut off or empty")]
    CutOff,
    /// The content is not what the schema asks for.
    #[error("its answer did not follow the schema")]
    OffSchema,
    /// Other findings than were asked for, or another number of them.
    #[error("it answered for other findings than it was asked")]
    OtherFindings,
    /// Every wording and every verdict broke a rule.
    #[error("nothing in its answer kept to the rules")]
    NothingUsable,
    /// The job had asked as many questions as it may.
    #[error("the job may ask no more questions")]
    TooMany,
    /// The job's time for questions was up.
    #[error("the job's time for questions was up")]
    OutOfTime,
    /// Too many questions in a row came to nothing.
    #[error("it was not asked any more after it had failed several times")]
    GivenUp,
}

impl Refusal {
    /// The word under which it is counted.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Status(_) => "status",
            Self::TooLarge => "too_large",
            Self::Malformed => "malformed",
            Self::CutOff => "cut_off",
            Self::OffSchema => "off_schema",
            Self::OtherFindings => "other_findings",
            Self::NothingUsable => "nothing_usable",
            Self::TooMany | Self::OutOfTime | Self::GivenUp => "not_asked",
        }
    }
}
