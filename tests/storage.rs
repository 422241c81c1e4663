//! Blobs and uploads on their way to become blobs: one list of tests, on a disk and in a bucket.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use pentimento::clock::Clock;
use pentimento::serve::Service;
use pentimento::storage::staging::{Part, Staged, Staging, StagingKey};
use pentimento::storage::{
    self, BlobKey, Revision, SAFE_AGE, Storage, StorageError, staging_object,
};
use pentimento_compute::PictureFile;
use tempfile::TempDir;
use uuid::Uuid;

use crate::support::app::settings;
use crate::support::client::Client;
use crate::support::postgres;
use crate::support::s3::S3Server;

/// A storage, and where its files lie.
struct Place {
    storage: Storage,
    staging: Staging,
    folder: TempDir,
    bucket: Option<S3Server>,
}

impl Place {
    async fn on_disk() -> Self {
        Self::open(None).await
    }

    async fn in_bucket() -> Self {
        Self::open(Some(S3Server::start().await)).await
    }

    async fn open(bucket: Option<S3Server>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let flags = bucket.as_ref().map(S3Server::settings).unwrap_or_default();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let config = settings(&folder, None, &flags);
        let opened = storage::open(&config.s3, folder.path(), Clock::System.now_ms());
        let (storage, staging) = opened.await.unwrap();
        Self {
            storage,
            staging,
            folder,
            bucket,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        match &self.bucket {
            Some(bucket) => bucket.file(name),
            None => self.folder.path().join(name),
        }
    }

    fn blob(&self, key: &BlobKey) -> PathBuf {
        self.file(&storage::blob_object(key.as_str()))
    }

    /// Uploads as clients do: through the service, or to the bucket by a presigned link.
    async fn upload(&self, key: &StagingKey, content: &[u8]) {
        if let Some(folder) = self.staging.folder() {
            let mut incoming = folder.begin(key).await.unwrap();
            incoming.write(content).await.unwrap();
            let placed = incoming.finish().await.unwrap().commit().await.unwrap();
            placed.keep().await.unwrap();
            return;
        }
        let now = Clock::System.now_ms();
        let links = self.storage.links(now).await.unwrap().expect("a bucket");
        let link = links.upload(&staging_object(key), now);
        let client = Client::new(String::new(), String::new());
        let stored = client
            .put_file(&link, key.part().media_type(), content.to_vec())
            .await;
        assert_eq!(stored.status.as_u16(), 200, "{}", stored.body);
    }

    /// What is staged under the key now, as it is noted when a job is finalized.
    async fn revision(&self, key: &StagingKey) -> Option<Revision> {
        let all = self.staging.revisions(&key.job_id()).await.unwrap();
        let mut found = all.into_iter().filter(|(other, _)| other == key);
        found.next().map(|(_, revision)| revision)
    }

    async fn staged(&self, key: &StagingKey) -> Staged {
        let revision = self.revision(key).await;
        self.staging.get(key, revision.as_ref()).await.unwrap()
    }
}

const HOUR: Duration = Duration::from_hours(1);

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(Clock::System.now_ms().unsigned_abs())
}

/// Runs each test on a disk and in a bucket.
macro_rules! in_both_places {
    ($(async fn $name:ident($place:ident: Place) $body:block)*) => {
        $(async fn $name($place: Place) $body)*

        mod on_disk {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Place::on_disk().await).await;
            })*
        }

        mod in_bucket {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Place::in_bucket().await).await;
            })*
        }
    };
}

in_both_places! {
    async fn a_blob_goes_when_it_is_old_unless_it_was_stored_again(place: Place) {
        let storage = place.storage.clone().renewing();
        let key = storage.put(b"abc").await.unwrap();
        let set = |age: Duration| {
            let file = std::fs::File::open(place.blob(&key)).unwrap();
            file.set_modified(now() - age).unwrap();
        };
        let removed = async || storage.remove(&key, now() - SAFE_AGE).await.unwrap();
        assert!(!removed().await);
        set(SAFE_AGE + HOUR);
        // Storing it again says that it is about to be named.
        storage.put(b"abc").await.unwrap();
        assert!(!removed().await);
        assert_eq!(storage.get(&key).await.unwrap(), b"abc");
        set(SAFE_AGE + HOUR);
        // Where nothing is ever removed nothing is renewed.
        place.storage.put(b"abc").await.unwrap();
        assert!(removed().await);
        assert!(matches!(storage.get(&key).await, Err(StorageError::Missing(_))));
        assert!(removed().await, "it is gone already");
        assert_eq!(storage.put(b"abc").await.unwrap(), key);
        assert_eq!(storage.get(&key).await.unwrap(), b"abc");
        // Nothing is left beside it.
        let half_written = std::fs::read_dir(place.file("blobs/incoming"));
        assert_eq!(half_written.map_or(0, Iterator::count), 0);
    }

    async fn a_blob_is_named_by_its_content_and_written_once(place: Place) {
        let key = place.storage.put(b"abc").await.unwrap();
        assert_eq!(key.as_str(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let written = || std::fs::metadata(place.blob(&key)).unwrap().modified().unwrap();
        let first = written();
        assert_eq!(place.storage.put(b"abc").await.unwrap(), key);
        assert_eq!(written(), first);
        assert_eq!(place.storage.get(&key).await.unwrap(), b"abc");
        let large: Vec<u8> = (0..8_u32 << 20).map(|number| number.to_le_bytes()[0] ^ number.to_le_bytes()[2]).collect();
        let key = place.storage.put(&large).await.unwrap();
        assert_eq!(place.storage.get(&key).await.unwrap(), large);
        let empty = place.storage.put(b"").await.unwrap();
        assert_eq!(place.storage.get(&empty).await.unwrap(), b"");
    }

    async fn a_missing_or_damaged_blob_is_said_to_be_so_and_heals(place: Place) {
        let never = BlobKey::of(b"never stored");
        assert!(matches!(place.storage.get(&never).await, Err(StorageError::Missing(key)) if key == never));
        let key = place.storage.put(b"abc").await.unwrap();
        std::fs::write(place.blob(&key), b"abd").unwrap();
        assert!(matches!(place.storage.get(&key).await, Err(StorageError::Damaged(_))));
        // Half of a blob is written anew when the same content comes again.
        std::fs::write(place.blob(&key), b"ab").unwrap();
        place.storage.put(b"abc").await.unwrap();
        assert_eq!(place.storage.get(&key).await.unwrap(), b"abc");
    }

    async fn a_picture_is_checked_whether_it_is_read_whole_or_piece_by_piece(place: Place) {
        let never = BlobKey::of(b"never stored");
        assert!(matches!(place.storage.open_named(never.as_str()).await, Err(StorageError::Missing(key)) if key == never));
        assert!(matches!(place.storage.open_named("../never").await, Err(StorageError::BadKey)));
        for length in [3, 8 << 20] {
            let content: Vec<u8> = (0..length).map(|number: u32| number.to_le_bytes()[0] ^ number.to_le_bytes()[2]).collect();
            let key = place.storage.put(&content).await.unwrap();
            let picture = place.storage.open_named(key.as_str()).await.unwrap();
            assert!(picture.bytes().same((&content).into()));
            // A bucket's come whole.
            assert_eq!(matches!(picture, PictureFile::Disk(_)), length > 3 && place.bucket.is_none());
            let mut damaged = content.clone();
            *damaged.last_mut().unwrap() ^= 1;
            std::fs::write(place.blob(&key), &damaged).unwrap();
            assert!(matches!(place.storage.open_named(key.as_str()).await, Err(StorageError::Damaged(_))));
        }
    }

    async fn many_may_put_the_same_at_once(place: Place) {
        let content = vec![7; 1 << 20];
        let puts = (0..16).map(|_| place.storage.put(&content));
        let keys = futures::future::try_join_all(puts).await.unwrap();
        assert!(keys.iter().all(|key| *key == keys[0]));
        assert_eq!(place.storage.get(&keys[0]).await.unwrap(), content);
    }

    async fn it_is_known_whether_storage_works(place: Place) {
        place.storage.probe().await.unwrap();
        if place.bucket.is_none() {
            // What stands can be read; nothing more can be written.
            let incoming = place.folder.path().join("blobs/incoming");
            std::fs::remove_dir(&incoming).unwrap();
            std::fs::write(&incoming, "").unwrap();
            place.storage.probe().await.unwrap_err();
        }
        let gone = place.bucket.as_ref().map_or(place.folder.path().join("blobs"), S3Server::folder);
        std::fs::remove_dir_all(gone).unwrap();
        let error = place.storage.probe().await.unwrap_err().to_string();
        assert!(place.bucket.is_none() || error.contains("`captures`") && error.contains("does not exist"), "{error}");
    }

    async fn what_was_uploaded_last_is_there_until_it_is_removed(place: Place) {
        let (shot, dom) = (key(7, Part::Screenshot), key(7, Part::Dom));
        assert_eq!(place.staged(&shot).await, Staged::Missing);
        place.staging.remove(&shot).await.unwrap();
        place.upload(&shot, b"first").await;
        place.upload(&shot, b"the second").await;
        place.upload(&dom, b"tree").await;
        assert_eq!(place.staged(&shot).await, Staged::Content(b"the second".to_vec()));
        assert_eq!(place.staged(&dom).await, Staged::Content(b"tree".to_vec()));
        assert_eq!(place.staging.list_jobs().await.unwrap(), [shot.job_id()]);
        place.staging.remove(&shot).await.unwrap();
        place.staging.remove(&shot).await.unwrap();
        assert_eq!(place.staged(&shot).await, Staged::Missing);
        assert_eq!(place.staged(&dom).await, Staged::Content(b"tree".to_vec()));
        place.staging.remove_job(&shot.job_id()).await.unwrap();
        place.staging.remove_job(&shot.job_id()).await.unwrap();
        assert!(place.staging.list_jobs().await.unwrap().is_empty());
        assert_eq!(place.staged(&dom).await, Staged::Missing);
    }

    async fn what_is_too_large_is_not_read(place: Place) {
        let key = key(7, Part::Dom);
        let limit = usize::try_from(Part::Dom.max_bytes()).unwrap();
        place.upload(&key, &vec![b' '; limit]).await;
        assert!(matches!(place.staged(&key).await, Staged::Content(content) if content.len() == limit));
        place.upload(&key, &vec![b' '; limit + 1]).await;
        assert_eq!(place.staged(&key).await, Staged::TooLarge);
    }

    async fn a_job_is_removed_whole_and_no_other(place: Place) {
        const UPLOADS: u128 = 1_100;
        let job = Uuid::from_u128(1).to_string();
        let folder = place.file("staging").join(&job);
        std::fs::create_dir_all(&folder).unwrap();
        for number in 0..UPLOADS {
            std::fs::write(folder.join(format!("{}.png", Uuid::from_u128(number))), b"x").unwrap();
        }
        let other = key(2, Part::Dom);
        place.upload(&other, b"tree").await;
        if place.bucket.is_some() {
            assert_eq!(place.staging.revisions(&job).await.unwrap().len(), 1_100);
        }
        place.staging.remove_job(&job).await.unwrap();
        assert_eq!(place.staging.list_jobs().await.unwrap(), [other.job_id()]);
        place.staging.remove_job("../../elsewhere").await.unwrap();
        assert_eq!(place.staged(&other).await, Staged::Content(b"tree".to_vec()));
    }

    async fn all_jobs_are_listed(place: Place) {
        for number in 0..1_100 {
            let folder = place.file("staging").join(Uuid::from_u128(number).to_string());
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("left.part"), b"half").unwrap();
        }
        std::fs::create_dir_all(place.file("staging").join("not-a-job")).unwrap();
        std::fs::write(place.file("staging").join("not-a-job").join("file"), b"").unwrap();
        assert_eq!(place.staging.list_jobs().await.unwrap().len(), 1_100);
    }
}

fn key(job: u128, part: Part) -> StagingKey {
    let id = Uuid::from_u128(job).to_string();
    StagingKey::new(&id, &id, part).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_that_the_service_creates_is_its_owners_alone() {
    for database_url in [None, Some(postgres::fresh_database().await)] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let mut config = settings(&folder, database_url.as_deref(), &[]);
        config.store.data_dir.clone_from(&data);
        let service = Service::start(config, Clock::System).await.unwrap();
        let mode = std::fs::metadata(&data).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{database_url:?}");
        service.stop().await;
    }
}

#[tokio::test]
async fn a_broken_upload_leaves_nothing_behind_and_keeps_the_former() {
    let place = Place::on_disk().await;
    let key = key(7, Part::Dom);
    place.upload(&key, b"whole").await;
    let mut incoming = place.staging.folder().unwrap().begin(&key).await.unwrap();
    incoming.write(&vec![0; 1 << 20]).await.unwrap();
    drop(incoming);
    assert_eq!(place.staged(&key).await, Staged::Content(b"whole".to_vec()));
    let files = std::fs::read_dir(place.file("staging").join(key.job_id())).unwrap();
    assert_eq!(files.count(), 1);
}

#[tokio::test]
async fn what_comes_into_the_bucket_after_a_revision_was_noted_is_not_read() {
    let place = Place::in_bucket().await;
    let key = key(7, Part::Screenshot);
    assert!(place.revision(&key).await.is_none());
    place.upload(&key, b"in time").await;
    // Nothing was there when it was looked at, so nothing counts.
    assert_eq!(
        place.staging.get(&key, None).await.unwrap(),
        Staged::Missing
    );
    let noted = place.revision(&key).await.unwrap();
    place.upload(&key, b"much too late").await;
    assert_eq!(
        place.staging.get(&key, Some(&noted)).await.unwrap(),
        Staged::Replaced
    );
    place.staging.remove(&key).await.unwrap();
    assert_eq!(
        place.staging.get(&key, Some(&noted)).await.unwrap(),
        Staged::Missing
    );
}

/// A removal whose answer was lost may have been done: tried again, it would take what was stored since.
#[tokio::test]
async fn a_bucket_that_is_busy_is_asked_once_to_remove_a_blob() {
    let place = Place::in_bucket().await;
    let key = place.storage.put(b"abc").await.unwrap();
    let bucket = place.bucket.as_ref().unwrap();
    bucket.refuse_removals();
    let file = std::fs::File::open(place.blob(&key)).unwrap();
    file.set_modified(now() - SAFE_AGE - HOUR).unwrap();
    let removed = place.storage.remove(&key, now() - SAFE_AGE).await;
    removed.expect_err("it is busy");
    assert_eq!(bucket.refused_removals(), 1);
    assert_eq!(place.storage.get(&key).await.unwrap(), b"abc");
}

/// What answers in the place of a server that is away knows nothing of what lies there.
#[tokio::test]
async fn nothing_is_missing_because_a_proxy_says_so() {
    let place = Place::in_bucket().await;
    let bucket = place.bucket.as_ref().unwrap();
    let (blob, upload) = (place.storage.put(b"abc").await.unwrap(), key(7, Part::Dom));
    place.upload(&upload, b"tree").await;
    let noted = place.revision(&upload).await;
    let refused = |error: &StorageError| {
        matches!(error, StorageError::Bucket(_)) && error.to_string().contains("404")
    };
    bucket.set_away(true);
    let read = place.storage.get(&blob).await;
    assert!(read.as_ref().is_err_and(refused), "{read:?}");
    let staged = place.staging.get(&upload, noted.as_ref()).await;
    assert!(staged.as_ref().is_err_and(refused), "{staged:?}");
    let removed = place.storage.remove(&blob, now()).await;
    assert!(removed.as_ref().is_err_and(refused), "{removed:?}");
    let stored = place.storage.put(b"abc").await;
    assert!(stored.as_ref().is_err_and(refused), "{stored:?}");
    bucket.set_away(false);
    assert_eq!(place.storage.get(&blob).await.unwrap(), b"abc");
}

/// Whoever stored it has it, however that fell in with its removal.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_while_it_is_removed_is_there() {
    let place = Place::on_disk().await;
    let storage = place.storage.clone().renewing();
    let key = storage.put(b"abc").await.unwrap();
    let mut outcomes = [0; 2];
    for _ in 0..5_000 {
        let old = now() - SAFE_AGE - HOUR;
        let file = std::fs::File::open(place.blob(&key)).unwrap();
        file.set_modified(old).unwrap();
        let (putting, removing) = (storage.clone(), storage.clone());
        let removed = key.clone();
        let removing =
            tokio::spawn(async move { removing.remove(&removed, now() - SAFE_AGE).await });
        let putting = tokio::spawn(async move { putting.put(b"abc").await });
        putting.await.unwrap().unwrap();
        outcomes[usize::from(removing.await.unwrap().unwrap())] += 1;
        assert_eq!(storage.get(&key).await.unwrap(), b"abc", "{outcomes:?}");
    }
    // Either came first now and then.
    assert!(outcomes.iter().all(|&count| count > 0), "{outcomes:?}");
}
